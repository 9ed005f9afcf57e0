import { connect, type NatsConnection } from '@nats-io/transport-node';
import { Client as Postgres } from 'pg';
import { Client } from '../support/client';
import { Skein } from '../support/skein';

const AGENT = `
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';

const add = new FunctionTool({ name: 'add', description: 'Adds.', execute: () => 3 });

export const rootAgent = new LlmAgent({
  name: 'adder',
  tools: [add],
  model: new ScriptedLlm({
    rules: [
      { when: /^add: /, respond: () => 'The answer is 3.' },
      { when: /./, respond: () => ({ content: { role: 'model', parts: [{ functionCall: { name: 'add', args: {} } }] } }) },
    ],
  }),
});
`;

interface Cost {
  readonly commits: number;
  readonly messages: number;
  readonly legsInSeries: number;
  readonly byKind: Readonly<Record<string, number>>;
}

/** A verb, a stream's own traffic, or the first token: what follows are ids. */
function kindOf(subject: string): string {
  if (subject.startsWith('rpc.')) return subject;
  if (subject.startsWith('$JS.API.CONSUMER.MSG.NEXT')) return 'pull';
  return subject.split('.', subject.startsWith('$JS') ? 2 : 1).join('.');
}

/** These follow each other in a turn; what is not among them is sent beside them. */
const IN_SERIES = ['rpc.session.submit', 'work', 'rpc.session.append', 'tool', 'result'];
/** The request and its answer over HTTP, the reply that brings the ticket, the last event. */
const OTHERS_IN_SERIES = 4;

function legsInSeries(counts: ReadonlyMap<string, number>): number {
  return IN_SERIES.reduce((sum, kind) => sum + (counts.get(kind) ?? 0), OTHERS_IN_SERIES);
}

const TURNS = 50;
/** The budget of a one-tool turn: no more commits in all than are allowed in series. */
const MAX_COMMITS = 4;
const MAX_MESSAGES = 28;
const MAX_LEGS_IN_SERIES = 12;

describe('what a one-tool turn costs, counted from outside', () => {
  let skein: Skein;
  let client: Client;
  let postgres: Postgres;
  let nats: NatsConnection;

  beforeAll(async () => {
    skein = await Skein.start({ agents: { adder: AGENT } });
    client = new Client(skein.url, 'adder');
    postgres = new Postgres({ connectionString: skein.databaseUrl });
    await postgres.connect();
    nats = await connect({ servers: skein.natsUrl });
  }, 120_000);

  afterAll(async () => {
    await nats?.close();
    await postgres?.end();
    await skein?.stop();
  }, 60_000);

  it('stays within its commits and messages, in a young session and in an old one', async () => {
    const young = await costOf('young');
    for (let turn = 0; turn < 3 * TURNS; turn++) await client.run('old', 'add', { autoCreateSession: true });
    const old = await costOf('old');
    console.info('a one-tool turn costs', { young, old });

    for (const cost of [young, old]) {
      expect(cost.commits).toBeLessThanOrEqual(MAX_COMMITS);
      expect(cost.messages).toBeLessThanOrEqual(MAX_MESSAGES);
      expect(cost.legsInSeries).toBeLessThanOrEqual(MAX_LEGS_IN_SERIES);
    }
    expect(old.commits).toBeLessThanOrEqual(young.commits + 0.5);
    expect(old.messages).toBeLessThanOrEqual(young.messages + 1);
  }, 120_000);

  /** The mean over some turns, so that work that is batched between turns is in it too. */
  async function costOf(sessionId: string): Promise<Cost> {
    await client.run(sessionId, 'add', { autoCreateSession: true });
    const counts = new Map<string, number>();
    const everything = nats.subscribe('>', {
      callback: (_error, { subject }) => {
        const kind = kindOf(subject);
        counts.set(kind, (counts.get(kind) ?? 0) + 1 / TURNS);
      },
    });
    await nats.flush();
    const before = await writes();
    for (let turn = 0; turn < TURNS; turn++) await client.run(sessionId, 'add');
    const commits = (await writes()) - before;
    await nats.flush();
    everything.unsubscribe();
    // What each runner says every second is not a turn's.
    counts.delete('announce');
    const messages = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return {
      commits: commits / TURNS,
      messages,
      legsInSeries: legsInSeries(counts),
      byKind: Object.fromEntries(counts),
    };
  }

  /** Transactions that wrote something so far: each takes one id, and a read takes none. */
  async function writes(): Promise<number> {
    const { rows } = await postgres.query<{ next: string }>(
      'select pg_snapshot_xmax(pg_current_snapshot()) as next',
    );
    return Number(rows[0]?.next);
  }
});
