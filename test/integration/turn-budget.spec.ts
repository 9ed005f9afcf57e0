import { readFileSync } from 'node:fs';
import path from 'node:path';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { parseNatsServers } from '@skein/messaging';
import { Client as Postgres } from 'pg';
import { Client } from '../support/client';
import { parseExposed } from '../support/metrics-page';
import { Skein } from '../support/skein';

/** Asks for one tool, then answers; its model takes `delayMs` for each. */
function adder(delayMs: number): string {
  return `
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';

const add = new FunctionTool({ name: 'add', description: 'Adds.', execute: () => 3 });
const call = { content: { role: 'model', parts: [{ functionCall: { name: 'add', args: {} } }] } };
const answer = { content: { role: 'model', parts: [{ text: 'The answer is 3.' }] } };
const slowly = (response) => (${delayMs} > 0 ? { delayMs: ${delayMs}, response } : response);

export const rootAgent = new LlmAgent({
  name: 'adder',
  tools: [add],
  model: new ScriptedLlm({ responses: Array.from({ length: 500 }, () => [slowly(call), slowly(answer)]).flat() }),
});
`;
}

interface Cost {
  readonly commits: number;
  readonly messages: number;
  readonly byKind: Readonly<Record<string, number>>;
}

const TURNS = 50;
/** The sentence of the README that says what these tests count. */
const README_SENTENCE =
  /costs (\d+) commits and (\d+) NATS messages with a model that answers at once, (\d+) and (\d+) with one that thinks; on one machine, where requests have lanes, (\d+) and (\d+) messages/;
/** The budget of a one-tool turn: commits in series and in all, messages in all. */
const BUDGET = { commitsInSeries: 4, commits: 6, messages: 28, legsInSeries: 9 };
/** On the path beside these: the request over HTTP with its answer, and the last event. */
const OTHERS_IN_SERIES = 3;

/**
 * Every message of these kinds waits for the one before it. A work queue's message is seen twice, as it is stored and as
 * it is delivered, and is one leg.
 */
function legsInSeries({ byKind }: Cost): number {
  const { submit = 0, work = 0, append = 0, tool = 0, answer = 0, result = 0 } = rounded(byKind);
  return submit + work + append + tool / 2 + answer + result / 2 + OTHERS_IN_SERIES;
}

/** A stack, and who counts what its turns cost. */
class Meter {
  private constructor(
    private readonly skein: Skein,
    private readonly postgres: Postgres,
    private readonly nats: NatsConnection,
  ) {}

  static async start(env: NodeJS.ProcessEnv): Promise<Meter> {
    const skein = await Skein.start({
      agents: { instant: adder(0), thinking: adder(3) },
      // The log of the scripted model is a file, and waiting for it is what a slow model does.
      env: { SCRIPTED_LLM_LOG: undefined, ...env },
    });
    const postgres = new Postgres({ connectionString: skein.databaseUrl });
    await postgres.connect();
    return new Meter(skein, postgres, await connect({ ...parseNatsServers(skein.natsUrl) }));
  }

  client(agent: 'instant' | 'thinking'): Client {
    return new Client(this.skein.url, agent);
  }

  /** The mean over some turns, so that work that is batched between turns is in it too. */
  async costOf(client: Client, sessionId: string): Promise<Cost> {
    await client.run(sessionId, 'add', { autoCreateSession: true });
    const counts = new Map<string, number>();
    const everything = this.nats.subscribe('>', {
      callback: (_error, { subject }) => {
        const kind = kindOf(subject);
        counts.set(kind, (counts.get(kind) ?? 0) + 1 / TURNS);
      },
    });
    await this.nats.flush();
    const before = await this.#writes();
    const unbegunBefore = await this.#unbegunGuesses();
    for (let turn = 0; turn < TURNS; turn++) await client.run(sessionId, 'add');
    const commits = (await this.#writes()) - before;
    await this.nats.flush();
    everything.unsubscribe();
    // A runner that the machine held up begins on no guess and is handed the claim: one more message and its answer. (That guesses
    // are begun at all is another test's.)
    const unbegun = (await this.#unbegunGuesses()) - unbegunBefore;
    // Where requests have lanes, neither goes over NATS.
    for (const kind of counts.has('work') ? ['work', '_INBOX_session-svc'] : [])
      counts.set(kind, Math.max(0, (counts.get(kind) ?? 0) - unbegun / TURNS));
    // What each runner says every second is not a turn's.
    counts.delete('announce');
    const messages = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return { commits: commits / TURNS, messages, byKind: Object.fromEntries(counts) };
  }

  /** Transactions that wrote something so far: each takes one id, and a read takes none. */
  async #writes(): Promise<number> {
    const { rows } = await this.postgres.query<{ next: string }>(
      'select pg_snapshot_xmax(pg_current_snapshot()) as next',
    );
    return Number(rows[0]?.next);
  }

  async #unbegunGuesses(): Promise<number> {
    const { healthUrl } = this.skein.processes().find(({ app }) => app === 'session-svc') ?? {};
    const metrics = parseExposed(await (await fetch(`${healthUrl}/metrics`)).text());
    const guesses = metrics.find(({ name }) => name === 'skein_claim_guesses_total')?.series ?? [];
    return guesses.find(({ text }) => text.includes('"unbegun"'))?.value ?? 0;
  }

  async stop(): Promise<void> {
    await this.nats.close();
    await this.postgres.end();
    await this.skein.stop();
  }
}

describe('what a one-tool turn costs, counted from outside', () => {
  let meter: Meter;
  beforeAll(async () => {
    // As between machines: all that a turn asks for goes over NATS, and is seen there.
    meter = await Meter.start({ LANES: 'false' });
  }, 120_000);
  afterAll(() => meter?.stop(), 60_000);

  it('stays within its budget with a model that answers at once, in a young session and in an old one', async () => {
    const client = meter.client('instant');
    const young = await meter.costOf(client, 'young');
    for (let turn = 0; turn < 3 * TURNS; turn++) await client.run('old', 'add', { autoCreateSession: true });
    const old = await meter.costOf(client, 'old');
    console.info('a one-tool turn, model at once', { young, old, legsInSeries: legsInSeries(young) });

    for (const cost of [young, old]) {
      // No more in all than are allowed in series.
      expect(cost.commits).toBeLessThanOrEqual(BUDGET.commitsInSeries);
      expect(cost.messages).toBeLessThanOrEqual(BUDGET.messages);
      expect(legsInSeries(cost)).toBeLessThanOrEqual(BUDGET.legsInSeries);
    }
    // Nothing on the path but what is listed: two units, one call, one result, one message to the runner. No result is stored,
    // but where the machine held up the runner it was for.
    expect(rounded(young.byKind)).toMatchObject({
      submit: 1,
      append: 2,
      work: 1,
      tool: 2,
      answer: 1,
      event: 4,
      partial: 1,
    });
    expect(rounded(young.byKind).result ?? 0).toBe(0);
    const { atOnce } = readmeFigures();
    expect(Math.round(young.commits)).toBe(atOnce.commits);
    expect(messagesOfTurn(young)).toBe(atOnce.messages);
    expect(old.commits).toBeLessThanOrEqual(young.commits + 0.5);
    expect(old.messages).toBeLessThanOrEqual(young.messages + 1);
  }, 120_000);

  it('takes two units more with a model that thinks, which are stored meanwhile', async () => {
    const cost = await meter.costOf(meter.client('thinking'), 'slow');
    console.info('a one-tool turn, model that thinks', cost);

    expect(rounded(cost.byKind)).toMatchObject({ append: 4 });
    expect(cost.commits).toBeLessThanOrEqual(BUDGET.commits);
    const { thinking } = readmeFigures();
    expect(Math.round(cost.commits)).toBe(thinking.commits);
    expect(messagesOfTurn(cost)).toBe(thinking.messages);
    expect(messagesOfTurn(cost)).toBeLessThanOrEqual(BUDGET.messages);
  }, 120_000);
});

describe('what a one-tool turn costs where requests have lanes', () => {
  let meter: Meter;
  beforeAll(async () => {
    meter = await Meter.start({});
  }, 120_000);
  afterAll(() => meter?.stop(), 60_000);

  it.each(['instant', 'thinking'] as const)(
    'is less of NATS, with a model that is %s',
    async (agent) => {
      const cost = await meter.costOf(meter.client(agent), 'lanes');
      console.info('a one-tool turn by lanes', cost);

      expect(rounded(cost.byKind)).toMatchObject({ event: 4 });
      for (const asked of ['submit', 'append', 'work', 'answer'])
        expect(rounded(cost.byKind)[asked] ?? 0).toBe(0);
      expect(messagesOfTurn(cost)).toBe(readmeFigures().byLanes[agent]);
    },
    120_000,
  );
});

/** What goes by the clock: a fraction of a turn, on a slow machine more than a half. The budget has it with all others. */
const BY_THE_CLOCK = new Set(['pull', 'renew', '$JS.API', '$JS.EVENT']);

/** Of each kind that a turn causes, a whole number. */
function messagesOfTurn({ byKind }: Cost): number {
  const caused = Object.entries(rounded(byKind)).filter(([kind]) => !BY_THE_CLOCK.has(kind));
  return caused.reduce((sum, [, count]) => sum + count, 0);
}

interface ReadmeFigures extends Record<'atOnce' | 'thinking', Pick<Cost, 'commits' | 'messages'>> {
  readonly byLanes: Readonly<Record<'instant' | 'thinking', number>>;
}

function readmeFigures(): ReadmeFigures {
  const readme = readFileSync(path.join(__dirname, '..', '..', 'README.md'), 'utf8').replaceAll('\n', ' ');
  const [commits, messages, thinkingCommits, thinkingMessages, ...byLanes] = (
    README_SENTENCE.exec(readme) ?? []
  )
    .slice(1)
    .map(Number);
  if (commits === undefined || messages === undefined) throw new Error('The README has no such sentence');
  return {
    atOnce: { commits, messages },
    thinking: { commits: Number(thinkingCommits), messages: Number(thinkingMessages) },
    byLanes: { instant: Number(byLanes[0]), thinking: Number(byLanes[1]) },
  };
}

/** A verb, a stream's own traffic, or the first token: what follows are ids. */
function kindOf(subject: string): string {
  if (subject.startsWith('rpc.')) return subject.split('.').at(-1) ?? subject;
  if (subject.startsWith('$JS.API.CONSUMER.MSG.NEXT')) return 'pull';
  return subject.split('.', subject.startsWith('$JS') ? 2 : 1).join('.');
}

function rounded(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).map(([kind, count]) => [kind, Math.round(count)]));
}
