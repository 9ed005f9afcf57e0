import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { type ToolCallMessage, type ToolResultMessage } from '@skein/contracts';
import { mintTicket } from '@skein/session-store';
import { parseNatsServers } from '@skein/messaging';
import { waitUntil } from '../support/wait-until';
import { readStored } from './support/database';
import { Duplicator } from './support/duplicator';
import { publishedSeqs, upTo } from './support/event-stream';
import { Fleet, SECRET } from './support/fleet';
import { checkInvariants } from './support/invariants';
import { Load } from './support/load';
import { row } from './support/row';
import { aSessionId, effectsOf, sameForm, say, untilWhole, withoutFault } from './support/scenes';
import { type Turn } from './support/turn';

// Scaled down from 15 s, 2 s and 30 s. Without lanes: what is cut, copied and waited for here is what NATS carries.
const SCALED = { LEASE_MS: '3000', SWEEP_MS: '300', ACK_WAIT_MS: '2000', LANES: 'false' };

describe('NATS', () => {
  let fleet: Fleet;

  beforeAll(async () => {
    fleet = await Fleet.start({ env: SCALED, sessionServices: 2 });
  }, 120_000);

  afterEach(async () => {
    if (fleet) await untilWhole(fleet);
  });

  afterAll(() => fleet?.stop(), 60_000);

  async function untilTurns(load: Load, count: number): Promise<void> {
    await waitUntil(`${count} turns`, () => load.turns.length >= count || undefined);
  }

  async function withNats<T>(use: (nats: NatsConnection) => Promise<T>): Promise<T> {
    const nats = await connect({ ...parseNatsServers(fleet.natsUrl), timeout: 5_000 });
    try {
      return await use(nats);
    } finally {
      await nats.close();
    }
  }

  async function publish(messages: readonly Copy[]): Promise<void> {
    await withNats(async (nats) => {
      for (const { subject, data } of messages) await jetstream(nats).publish(subject, data);
    });
  }

  row('row 14: NATS restarts under load', async (random) => {
    const load = new Load(fleet, { random, sessions: 10, turns: 5 });
    await untilTurns(load, 5);

    await fleet.nats.restart('SIGTERM');
    const backMs = performance.now();
    await waitUntil('all clients to be back', () => areReady(fleet));
    const tookMs = performance.now() - backMs;
    await load.done;

    expect(tookMs).toBeLessThan(5_000);
    await checkInvariants(fleet, { turns: load.turns });
  });

  async function statusesOfRow16(): Promise<string[]> {
    const { invocations } = await readStored(fleet.databaseUrl);
    return invocations.flatMap(({ sessionId, status }) => (sessionId.startsWith('row16') ? status : []));
  }

  row(
    'row 15: NATS is killed five times under load',
    async (random) => {
      const load = new Load(fleet, { random, sessions: 10, turns: 8 });
      for (let n = 1; n <= 5; n++) {
        await untilTurns(load, load.turns.length + 3);
        await fleet.nats.restart('SIGKILL');
      }
      await load.done;

      await checkInvariants(fleet, { turns: load.turns });
    },
    120_000,
  );

  row(
    "row 16: JetStream's directory is wiped under 50 running sessions: every invocation ends",
    async () => {
      // Each long enough that the first still runs when the last one begins.
      const messages = ['wait 8000', 'both 8000', 'talk 80 100', 'pay 8000'];
      const turns: Promise<Turn>[] = Array.from({ length: 50 }, (_, n) =>
        say(fleet, aSessionId('row16'), messages[n % messages.length] ?? ''),
      );
      await waitUntil('50 sessions to run', async () => {
        const running = (await statusesOfRow16()).filter((status) => status === 'running');
        return running.length === 50 || undefined;
      });

      await fleet.wipeNats();
      const taken = await Promise.all(turns);

      await checkInvariants(fleet, { turns: taken, deadlineMs: 60_000 });
      expect(await statusesOfRow16()).toEqual(Array.from({ length: 50 }, () => 'completed'));
    },
    120_000,
  );

  describe.each([1, 4])('%i copies', (copies) => {
    row('row 20: every message is delivered again, out of order', async (random) => {
      const expected = await withoutFault(fleet, 'count 3');
      const sessionId = aSessionId('row20');
      const duplicator = await Duplicator.start(fleet.natsUrl, random, copies);

      const load = new Load(fleet, {
        random,
        sessions: 5,
        turns: 3,
        messages: ['count 2', 'both 30', 'send', 'talk 5 10'],
      });
      await say(fleet, sessionId, 'count 3');
      await load.done.finally(() => duplicator.stop());

      expect(duplicator.sent).toBeGreaterThan(50);
      expect(await sameForm(fleet, sessionId)).toEqual(expected);
      await checkInvariants(fleet, { turns: load.turns, repeatedAsks: 0 });
    });
  });

  row('row 21: messages come again after the window in which the server drops duplicates', async () => {
    const sessionId = aSessionId('row21');
    const kept: Msg[] = [];
    await withNats(async (nats) => {
      for (const subject of ['tool.>', 'result.>', 'run.>', 'event.>'])
        nats.subscribe(subject, { callback: (_error, message) => void kept.push(message) });
      await nats.flush();
      await say(fleet, sessionId, 'count 2');
      await say(fleet, sessionId, 'pay 10');
      await checkInvariants(fleet);
    });
    const before = await sameForm(fleet, sessionId);
    const copies = kept.filter(({ subject }) => !subject.startsWith('event.'));
    expect(copies.filter(({ subject }) => subject.startsWith('tool.'))).toHaveLength(3);

    // The server has forgotten their ids, as these have none. What may happen once does not happen again.
    await publish(copies);
    await checkInvariants(fleet);
    expect(await sameForm(fleet, sessionId)).toEqual(before);
    // Ten minutes old, no call is run again at all.
    const effects = effectsOf(fleet, sessionId);
    await publish(copies.map(older));
    await checkInvariants(fleet);

    expect(await sameForm(fleet, sessionId)).toEqual(before);
    expect(effectsOf(fleet, sessionId)).toEqual(effects);
    expect(await publishedSeqs(fleet.natsUrl, sessionId)).toEqual(upTo(before.events.length));
  });

  row('row 47: a stream with another configuration stops the boot, which says the difference', async () => {
    const wrong = { max_msgs: 7 };
    await withNats(async (nats) => {
      const manager = await jetstreamManager(nats);
      const { config } = await manager.streams.info('TOOLS');
      await manager.streams.update('TOOLS', wrong);

      const said = await bootRefusal(fleet);

      await manager.streams.update('TOOLS', { max_msgs: config.max_msgs });
      expect(said).toContain(`stream TOOLS: max_msgs is 7, but should be ${config.max_msgs}`);
    });
  });

  row('row 47: a stream that captures requests stops the boot', async () => {
    await withNats(async (nats) => {
      const manager = await jetstreamManager(nats);
      await manager.streams.add({ name: 'OTHERS', subjects: ['rpc.session.rewind'] });

      const said = await bootRefusal(fleet);

      await manager.streams.delete('OTHERS');
      expect(said).toContain('stream OTHERS captures rpc.session.rewind');
    });
  });
});

type Copy = Pick<Msg, 'subject' | 'data'>;

/** The message as it would be, had it been sent ten minutes before: its deadline is so much nearer. */
function older({ subject, data }: Copy): Copy {
  // Of calls and results; what starts a run has no deadline.
  const message = JSON.parse(new TextDecoder().decode(data)) as Partial<ToolCallMessage> &
    Partial<ToolResultMessage>;
  const tool = message.call?.tool ?? message.tool;
  if (!message.ticket || tool === undefined) return { subject, data };
  const { dispatchId, attempt, deadlineMs } = message.ticket;
  const claims = { dispatchId, attempt, deadlineMs: deadlineMs - 600_000 };
  const ticket = mintTicket(SECRET, tool, claims);
  return { subject, data: new TextEncoder().encode(JSON.stringify({ ...message, ticket })) };
}

/** Why session-svc, which makes the streams, does not start again. */
async function bootRefusal(fleet: Fleet): Promise<string> {
  const service = fleet.one('session-svc-1');
  const before = fleet.log().length;
  await service.kill('SIGTERM');
  return waitUntil('a refusal', () => /cannot start: .*/.exec(fleet.log().slice(before))?.[0]);
}

async function areReady(fleet: Fleet): Promise<true | undefined> {
  const answers = await Promise.all(
    fleet.processes.map(({ healthUrl }) => fetch(`${healthUrl}/ready`).then(({ status }) => status)),
  );
  return answers.every((status) => status === 200) || undefined;
}
