import { setTimeout as pause } from 'node:timers/promises';
import { type Event } from '@skein/contracts';
import { type Behaviour, geminiDialect, ProviderServer } from '@skein/testing';
import { Client, textOf } from '../support/client';
import { parseExposed } from '../support/metrics-page';
import { Skein } from '../support/skein';

const SESSIONS = 50;
const RUNNERS = 2;
const RETRY_AFTER_S = 1;
/** Requests that are refused after those of the sessions: whoever is told to come again comes again so often. */
const REPEATED = 4;
/** A timer's own inexactness. */
const TIMER_MS = 10;
const MODEL = 'gemini-2.5-flash';
const KEY = 'canary-key-of-the-provider';

interface Refusing {
  /** Requests that have to be there before the first of them is answered: whoever sent them had heard of no refusal. */
  readonly atOnce: number;
  /** Requests in all: from then on each is answered. */
  readonly refusals: number;
  readonly retryAfterS: number;
}

/** Refuses a number of requests, however long that takes, then answers everything, after a moment. */
class OverloadedProvider {
  refused = 0;
  answered = 0;
  /** Of each request that came again before the first answer: how long after its runner was refused last. */
  readonly pausesMs: number[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #refusedAtMs = new Map<string, number>();

  private constructor(
    readonly server: ProviderServer,
    private readonly refusing: Refusing,
  ) {
    server.otherwise = ({ headers }) => this.#take(String(headers['x-runner']));
  }

  static async start(refusing: Refusing): Promise<OverloadedProvider> {
    return new OverloadedProvider(await ProviderServer.start(geminiDialect, MODEL, KEY), refusing);
  }

  async #take(runner: string): Promise<Behaviour> {
    const lastMs = this.#refusedAtMs.get(runner);
    if (lastMs !== undefined && this.answered === 0) this.pausesMs.push(performance.now() - lastMs);
    await this.#allAreThere();
    if (this.refused < this.refusing.refusals) {
      this.refused += 1;
      this.#refusedAtMs.set(runner, performance.now());
      const headers = { 'retry-after': String(this.refusing.retryAfterS) };
      return { refuses: 'rate-limited', message: `Resource has been exhausted for ${KEY}.`, headers };
    }
    this.answered += 1;
    await pause(50);
    return { says: { parts: [{ text: 'done' }] } };
  }

  async #allAreThere(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      if (this.refused === 0 && this.#waiting.length < this.refusing.atOnce) return;
      for (const goOn of this.#waiting.splice(0)) goOn();
    });
  }
}

const agentOf = (baseUrl: string) => `
import { Gemini, LlmAgent } from '@skein/adk';

export const rootAgent = new LlmAgent({
  name: 'asker',
  model: new Gemini({
    model: '${MODEL}',
    apiKey: '${KEY}',
    baseUrl: '${baseUrl}',
    headers: { 'x-runner': String(process.pid) },
    // The sessions of a runner that has few of them are refused more often than the three times of the default.
    maxAttempts: 2 + ${REPEATED},
  }),
});
`;

/** Its tool, which runs in a tool worker, asks the model that the runner asks next. */
const twiceOf = (baseUrl: string) => `
import { FunctionTool, Gemini, LlmAgent, RoutedLlm, ScriptedLlm } from '@skein/adk';

const shared = { model: 'gemini-2.5-flash', apiKey: '${KEY}', baseUrl: '${baseUrl}', maxAttempts: 1 };
const consult = new FunctionTool({
  name: 'consult',
  description: 'Asks the model.',
  execute: async () => {
    const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
    for await (const answer of new Gemini(shared).generateContentAsync({ contents, config: {} })) return { answer };
  },
});
const calls = { content: { role: 'model', parts: [{ functionCall: { name: 'consult', args: {} } }] } };

export const rootAgent = new LlmAgent({
  name: 'asker',
  tools: [consult],
  model: new RoutedLlm({
    models: { first: new ScriptedLlm({ responses: [calls] }), then: new Gemini(shared) },
    router: (_models, { contents }) => (contents.length === 1 ? 'first' : 'then'),
  }),
});
`;

describe('a provider that refuses what a fleet asks', () => {
  let stormy: OverloadedProvider;
  let closed: OverloadedProvider;
  let closedToTools: OverloadedProvider;
  let skein: Skein;

  beforeAll(async () => {
    stormy = await OverloadedProvider.start({
      atOnce: SESSIONS,
      refusals: SESSIONS + REPEATED,
      retryAfterS: RETRY_AFTER_S,
    });
    const forever = { atOnce: 1, refusals: Infinity, retryAfterS: 3_600 };
    closed = await OverloadedProvider.start(forever);
    closedToTools = await OverloadedProvider.start(forever);
    const agents = {
      stormy: agentOf(stormy.server.baseUrl),
      closed: agentOf(closed.server.baseUrl),
      twice: twiceOf(closedToTools.server.baseUrl),
    };
    skein = await Skein.start({ agents, env: { RUNNERS: String(RUNNERS), TOOL_WORKERS: '1' } });
  }, 120_000);
  afterAll(async () => {
    await skein?.stop();
    await Promise.all([stormy, closed, closedToTools].map((provider) => provider?.server.stop()));
  }, 60_000);

  /** The last event of a turn in each of so many sessions, all at once. */
  async function ask(app: string, sessions: number): Promise<(Event | undefined)[]> {
    const client = new Client(skein.url, app);
    const ids = Array.from({ length: sessions }, (_, n) => `s-${n}`);
    await Promise.all(ids.map((id) => client.createSession(id)));
    return Promise.all(
      ids.map(async (id) => {
        await client.run(id, 'hi');
        return (await client.getSession(id)).events.at(-1);
      }),
    );
  }

  async function holdsHeard(origin: string): Promise<number> {
    const runners = skein.processes().filter(({ app }) => app === 'runner');
    const pages = await Promise.all(
      runners.map(async ({ healthUrl }) => parseExposed(await (await fetch(`${healthUrl}/metrics`)).text())),
    );
    return pages
      .flat()
      .flatMap(({ series }) => series)
      .filter(({ text }) => text === `skein_model_holds_total{origin="${origin}"}`)
      .reduce((sum, { value }) => sum + value, 0);
  }

  it('row 39: a 429 storm on 50 sessions costs few requests, and every run ends with its answer', async () => {
    const ends = await ask('stormy', SESSIONS);

    expect(ends.map((event) => textOf(event))).toEqual(Array(SESSIONS).fill('done'));
    expect(stormy.answered).toBe(SESSIONS);
    // All had asked before the first refusal. Whoever comes again does so alone, and not before it was told to: a runner
    // sends one request, and no other as long as that is refused.
    expect(stormy.refused).toBe(SESSIONS + REPEATED);
    expect(stormy.pausesMs.length).toBeGreaterThanOrEqual(REPEATED);
    expect(stormy.pausesMs.filter((pauseMs) => pauseMs < RETRY_AFTER_S * 1_000 - TIMER_MS)).toEqual([]);
    expect(await holdsHeard('own')).toBeGreaterThan(0);
    expect(await holdsHeard('fleet')).toBeGreaterThan(0);
  }, 120_000);

  it('row 39: a provider that wants an hour is not waited for: every run ends, with what it said', async () => {
    const ends = await ask('closed', SESSIONS);
    const asked = closed.refused;
    const client = new Client(skein.url, 'closed');
    await client.run('s-0', 'again');
    const { events } = await client.getSession('s-0');

    const [refused, heldBack] = ['ClientError', 'model.held-back'].map((code) =>
      ends.filter((event) => event?.errorCode === code),
    );
    expect(refused).toHaveLength(asked);
    expect(heldBack).toHaveLength(SESSIONS - asked);
    expect(events.at(-1)).toMatchObject({
      errorCode: 'model.held-back',
      errorMessage: expect.stringMatching(/takes no requests for another \d+ s/),
    });
    expect(closed.refused).toBe(asked);
    // The provider says its key, and nobody else does.
    expect(refused?.[0]?.errorMessage).toBe('Resource has been exhausted for [key].');
    expect(skein.log()).not.toContain(KEY);
  }, 120_000);

  it('row 39: what a tool hears in its worker holds the runners back too', async () => {
    const [end] = await ask('twice', 1);

    expect(end).toMatchObject({ errorCode: 'model.held-back' });
    expect(closedToTools.refused).toBe(1);
    expect(skein.log()).not.toContain(KEY);
  }, 120_000);
});
