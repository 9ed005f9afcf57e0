import { AdkError } from '@skein/contracts';
import { silentLogger } from '@skein/platform';
import { EndedCalls } from '../calls/ended-calls';
import { planSweeps, type SweepParts } from './plan-sweeps';
import { Sweeper } from './sweeper';

const SWEEP_MS = 100;

/** As for a message that no payload store takes. */
async function encode(): Promise<never> {
  throw new AdkError('invalid', 'payload.size', 'a message of 200000000 bytes is too large');
}

/** A sweeper over an empty database; `look` is what JetStream has to say. */
function aSweeper(
  look: () => Promise<void>,
  answer: (statement: string, values: readonly unknown[]) => unknown[] | Promise<unknown[]> = () => [],
) {
  const done = { looks: 0, overdueCancels: 0, statements: 0 };
  const pool = {
    query: async ({ name, values }: { readonly name: string; readonly values: readonly unknown[] }) => {
      done.statements += 1;
      return { rows: await answer(name, values) };
    },
  } as unknown as SweepParts['pool'];
  const parts: Pick<
    SweepParts,
    | 'pool'
    | 'connection'
    | 'cancellation'
    | 'streams'
    | 'unserved'
    | 'left'
    | 'claims'
    | 'ended'
    | 'redrives'
    | 'secret'
    | 'sweepMs'
    | 'logger'
  > = {
    pool,
    ended: new EndedCalls({
      pool,
      forwarder: { forwardStored: async () => ({ disposition: 'no-owner' }) },
      admission: { ended: () => undefined },
      metrics: { deadLetters: { increment: () => undefined } },
      logger: silentLogger,
    }),
    connection: {
      isConnected: () => true,
      onReconnect: () => () => undefined,
      whenConnected: async () => undefined,
      codec: { encode },
    } as unknown as SweepParts['connection'],
    cancellation: {
      endOverdue: async () => void (done.overdueCancels += 1),
    } as unknown as SweepParts['cancellation'],
    streams: {
      look: () => {
        done.looks += 1;
        return look();
      },
    },
    claims: { ended: () => undefined },
    unserved: { look: async () => undefined },
    left: { look: async () => undefined },
    redrives: { sweep: async () => undefined },
    secret: 's',
    sweepMs: SWEEP_MS,
    logger: silentLogger,
  };
  // All of it that is used where there is nothing to do.
  const plan = planSweeps(parts as SweepParts);
  return { sweeper: new Sweeper({ ...parts, plan }), done };
}

describe('Sweeper', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
  afterEach(() => jest.useRealTimers());

  it('row 17: takes leases back and ends what is cancelled while JetStream answers nothing', async () => {
    const { sweeper, done } = aSweeper(() => new Promise(() => undefined));

    sweeper.start();
    await jest.advanceTimersByTimeAsync(10 * SWEEP_MS);

    // At most one and a half periods apart.
    expect(done.overdueCancels).toBeGreaterThanOrEqual(6);
    expect(done.looks).toBe(1);
  });

  it('row 17: goes on looking at the streams, and sending calls, after a look that failed', async () => {
    const { sweeper, done } = aSweeper(() => Promise.reject(new Error('no stream leader')));

    sweeper.start();
    await jest.advanceTimersByTimeAsync(10 * SWEEP_MS);
    const stopped = sweeper.stop();
    await jest.advanceTimersByTimeAsync(0);
    await stopped;

    expect(done.looks).toBeGreaterThanOrEqual(6);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('row 22: takes nothing back in the first moments after an outage of the database', async () => {
    let isAway = true;
    const asked: string[] = [];
    const { sweeper } = aSweeper(
      async () => undefined,
      (statement) => {
        if (isAway) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
        asked.push(statement);
        return [];
      },
    );
    sweeper.start();
    await jest.advanceTimersByTimeAsync(20_000);

    isAway = false;
    await jest.advanceTimersByTimeAsync(1_500);
    expect(asked).toContain('touch-stale-queued');
    expect(asked).not.toContain('expire-leases');
    await jest.advanceTimersByTimeAsync(5_000);
    expect(asked).toContain('expire-leases');
  });

  it('looks at the sessions that were at work in every sweep, while it walks over all of them', async () => {
    const asked: string[] = [];
    const { sweeper } = aSweeper(
      async () => undefined,
      (statement) => {
        asked.push(statement);
        return statement === 'find-unpublished-everywhere' ? new Promise<unknown[]>(() => undefined) : [];
      },
    );
    sweeper.start();
    await jest.advanceTimersByTimeAsync(10 * SWEEP_MS);

    expect(asked.filter((name) => name === 'find-unpublished-recent').length).toBeGreaterThan(1);
  });

  it('ends a call that no message can carry, with an error its model is told', async () => {
    const stored: unknown[][] = [];
    const of = { invocation_id: 'e-1', dispatch_id: 'd-1', tool: 'add', policy: {} };
    const unsent = { ...of, attempt: 1, deadline_ms: 1 };
    const { sweeper } = aSweeper(
      async () => undefined,
      (statement, values) => {
        if (statement === 'store-dead-result') stored.push([...values]);
        const isLeft = statement === 'read-unsent-calls' && stored.length === 0;
        return isLeft ? [{ ...unsent, scopes: { session: {}, app: {}, user: {} } }] : [];
      },
    );
    sweeper.start();
    await jest.advanceTimersByTimeAsync(10 * SWEEP_MS);

    expect(stored.map((values) => values.slice(0, 4))).toEqual([['d-1', 'e-1', expect.any(String), 'dead']]);
    expect(JSON.parse(String(stored[0]?.[2]))).toMatchObject({
      tool: 'add',
      ticket: { dispatchId: 'd-1' },
      outcome: {
        kind: 'error',
        code: 'tool.unsendable',
        message: "Tool 'add' was not called: a message of 200000000 bytes is too large.",
      },
    });
  });
});
