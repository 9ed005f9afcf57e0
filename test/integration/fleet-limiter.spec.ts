import { AdkError, type ModelHold, subjects } from '@skein/contracts';
import { FleetRateLimiter } from '@skein/fleet-limiter';
import { type MessagingConnection, MessagingMetrics } from '@skein/messaging';
import { type Lane } from '@skein/models';
import { Metrics } from '@skein/platform';
import { type NatsSetup, startNats, until } from './messaging-setup';

const MINUTE_MS = 60_000;
/** Whoever says more is asked again after so long. */
const LONGEST_MS = 10 * MINUTE_MS;
/** A hold is told in whole milliseconds, and so is what is left of it: both are rounded up. */
const ROUNDED_MS = 2;

/** One process that asks models. */
interface Asking {
  readonly connection: MessagingConnection;
  readonly limiter: FleetRateLimiter;
  readonly metrics: Metrics;
}

describe('the limiters of two processes on one NATS', () => {
  let setup: NatsSetup;
  let one: Asking;
  let other: Asking;

  beforeEach(async () => {
    setup = await startNats();
    [one, other] = [await start('one'), await start('other')];
  });
  afterEach(async () => {
    await Promise.all([one.limiter.close(), other.limiter.close()]);
    await setup.stop();
  });

  async function start(name: string): Promise<Asking> {
    const metrics = new Metrics();
    const connection = await setup.connect(name, new MessagingMetrics(metrics));
    const limiter = new FleetRateLimiter({ connection, metrics });
    limiter.start();
    await connection.flush();
    return { connection, limiter, metrics };
  }

  it('keep a hold that one of them was told, for its lane alone', async () => {
    const toldAtMs = performance.now();
    await hearOverload(one, laneOf('busy'), MINUTE_MS);

    await untilHeld(other, laneOf('busy'));
    const leftMs = await heldMs(other, laneOf('busy'));
    expect(leftMs).toBeLessThanOrEqual(MINUTE_MS + ROUNDED_MS);
    expect(leftMs).toBeGreaterThanOrEqual(MINUTE_MS - (performance.now() - toldAtMs));
    expect(await heldMs(other, laneOf('calm'))).toBe(0);
    expect(await seriesOf(one)).toContain('skein_model_holds_total{origin="own"} 1');
    expect(await seriesOf(other)).toContain('skein_model_holds_total{origin="fleet"} 1');
    expect((await seriesOf(one)).filter((series) => series.includes('"fleet"'))).toEqual([]);
  });

  it('limit alone while NATS is away, and together once it is back', async () => {
    const bothAre = (isConnected: boolean) =>
      [one, other].every(({ connection }) => connection.isConnected() === isConnected);
    const whileAway = async (): Promise<void> => {
      await until('NATS to be missed', () => bothAre(false));
      await hearOverload(one, laneOf('unheard'), MINUTE_MS);
      expect(await heldMs(one, laneOf('unheard'))).toBeGreaterThan(0);
    };

    await setup.restart({ withEmptyDisk: true, whileAway });
    await until('NATS to be back', () => bothAre(true));
    await other.connection.flush(); // Its subscription is there again.
    await hearOverload(one, laneOf('heard'), MINUTE_MS);

    await untilHeld(other, laneOf('heard'));
    expect(await heldMs(other, laneOf('unheard'))).toBe(0);
  });

  it('leave out and count what is no hold, and keep the next one', async () => {
    const hold = { runnerId: 'r', lane: 'l', holdMs: MINUTE_MS };
    const wrong = [
      '',
      'no json',
      '[]',
      JSON.stringify({ ...hold, lane: undefined }),
      JSON.stringify({ ...hold, lane: 7 }),
      JSON.stringify({ ...hold, holdMs: -1 }),
      JSON.stringify({ ...hold, holdMs: 'for ever' }),
      '{"runnerId":"r","lane":"l","holdMs":1e999}',
      JSON.stringify({ ...hold, limit: 0 }),
      JSON.stringify({ ...hold, lane: 'l'.repeat(300_000) }),
      JSON.stringify({ ...hold, runnerId: 'r'.repeat(300_000) }),
    ];
    for (const body of wrong) one.connection.nats.publish(subjects.modelHold, body);
    await hearOverload(one, laneOf('busy'), MINUTE_MS);

    // One after another: what came before the last was heard before it.
    await untilHeld(other, laneOf('busy'));
    expect(await seriesOf(other)).toContain('skein_model_holds_total{origin="fleet"} 1');
    expect(await seriesOf(other)).toContain(`skein_messages_left_out_total ${wrong.length}`);
  });

  it.each([60 * MINUTE_MS, Number.MAX_SAFE_INTEGER])('keep a hold of %i ms for ten minutes', async (ms) => {
    await hearOverload(one, laneOf('gone'), ms);

    await untilHeld(other, laneOf('gone'));
    for (const asking of [one, other]) {
      expect(await heldMs(asking, laneOf('gone'))).toBeLessThanOrEqual(LONGEST_MS + ROUNDED_MS);
    }
  });

  it('keep the hold of a process of another version, which does not cap it, for ten minutes', async () => {
    let lane = '';
    const heard = one.connection.nats.subscribe(subjects.modelHold, {
      callback: (_error, message) => {
        ({ lane } = message.json<ModelHold>());
      },
    });
    await one.connection.flush();
    await hearOverload(other, laneOf('gone'), 1);
    await until('a hold to be told', () => lane !== '');
    heard.unsubscribe();

    const hold = { runnerId: 'another', lane, holdMs: Number.MAX_SAFE_INTEGER };
    one.connection.nats.publish(subjects.modelHold, JSON.stringify(hold));

    await until('a hold of minutes', async () => (await heldMs(other, laneOf('gone'))) > MINUTE_MS);
    expect(await heldMs(other, laneOf('gone'))).toBeLessThanOrEqual(LONGEST_MS + ROUNDED_MS);
  });
});

function laneOf(model: string): Lane {
  return { provider: 'gemini', baseUrl: undefined, model, account: '' };
}

/** A request of it is refused by the provider, which wants to be left alone for so long. */
async function hearOverload({ limiter }: Asking, lane: Lane, retryAfterMs: number): Promise<void> {
  const permit = await limiter.enter(lane, { signal: new AbortController().signal, maxHoldMs: 0 });
  permit.end({ kind: 'overloaded', retryAfterMs });
}

async function untilHeld(asking: Asking, lane: Lane): Promise<void> {
  await until(`a hold of ${lane.model}`, async () => (await heldMs(asking, lane)) > 0);
}

/** For how long a request that cannot wait is turned away; 0 where it may go. */
async function heldMs({ limiter }: Asking, lane: Lane): Promise<number> {
  try {
    const permit = await limiter.enter(lane, { signal: new AbortController().signal, maxHoldMs: 0 });
    permit.end({ kind: 'abandoned' });
    return 0;
  } catch (error) {
    if (!AdkError.isInstance(error) || error.code !== 'model.held-back') throw error;
    return error.retryAfterMs ?? 0;
  }
}

async function seriesOf({ metrics }: Asking): Promise<readonly string[]> {
  return (await metrics.render()).split('\n');
}
