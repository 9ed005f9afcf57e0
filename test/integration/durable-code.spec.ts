import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, textOf } from '../support/client';
import { Skein } from '../support/skein';
import { waitUntil } from '../support/wait-until';

/** Writes a line for each effect, with the process that had it; waits at `hold` in the first process only. */
const EFFECTS = `
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { App, createEvent, CustomAgent } from '@skein/adk';

const file = process.env.EFFECTS_FILE;
const note = (what) => appendFileSync(file, JSON.stringify({ what, pid: process.pid }) + '\\n');
const holds = () => readFileSync(file, 'utf8').includes('"hold"');
const hold = async (context) => {
  if (existsSync(file) && holds()) return;
  note('hold');
  await pause(60_000, undefined, { signal: context.signal });
};
const says = (text) => createEvent({
  id: '', invocationId: '', timestamp: 0, author: 'root', content: { role: 'model', parts: [{ text }] },
});
`;

const STEPS = `${EFFECTS}
export const rootAgent = new CustomAgent({
  name: 'root',
  async *run(context) {
    const drawn = [context.now(), context.random(), context.uuid()];
    const first = await context.step('first', () => { note('first'); return process.pid; });
    note('drawn ' + JSON.stringify(drawn));
    await hold(context);
    const second = await context.step('second', () => { note('second'); return 'b'; });
    yield says(JSON.stringify({ drawn, first, second }));
  },
});
`;

/** Each process would have it another way. */
const UNSTABLE = `${EFFECTS}
const rootAgent = new CustomAgent({
  name: 'root',
  async *run(context) {
    yield says('begun');
    const first = await context.step('charge-' + process.pid, () => { note('charged'); return process.pid; });
    await hold(context);
    yield says('charged by ' + first);
  },
});
export const app = new App({ name: APP, rootAgent, onDivergence: MODE });
`;

function unstable(name: string, mode: string): string {
  return UNSTABLE.replace('APP', `'${name}'`).replace('MODE', `'${mode}'`);
}

describe('the code of a run whose runner is killed', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'skein-effects-'));
  const file = path.join(folder, 'effects');
  let skein: Skein;

  beforeAll(async () => {
    // Scaled down from 15 s and 2 s: they are the time until another runner goes on.
    const env = { LEASE_MS: '2000', SWEEP_MS: '300', EFFECTS_FILE: file };
    const agents = {
      steps: STEPS,
      unstable: unstable('unstable', 'fail'),
      forgiving: unstable('forgiving', 'continue'),
    };
    skein = await Skein.start({ agents, env });
  }, 120_000);

  afterEach(() => rmSync(file, { force: true }));

  afterAll(async () => {
    await skein?.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  function effects(): { what: string; pid: number }[] {
    try {
      const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
      return lines.map((line) => JSON.parse(line) as { what: string; pid: number });
    } catch {
      return [];
    }
  }

  /** Runs a message whose runner is killed where the agent holds; answers what the client was shown. */
  async function runKilled(client: Client): Promise<Record<string, unknown>[]> {
    const stream = client.runSse('s', 'go');
    const { pid } = await waitUntil('the agent to hold', () => effects().find(({ what }) => what === 'hold'));
    process.kill(pid, 'SIGKILL');
    return (await stream).map(({ data }) => data as unknown as Record<string, unknown>);
  }

  function count(what: string): number {
    return effects().filter((effect) => effect.what === what).length;
  }

  it('goes on with each step done once, and with what it drew before', async () => {
    const client = new Client(skein.url, 'steps');
    await client.createSession('s');

    await runKilled(client);

    const drawn = effects().filter(({ what }) => what.startsWith('drawn'));
    expect([count('first'), count('second'), drawn.length]).toEqual([1, 1, 2]);
    expect(new Set(drawn.map(({ what }) => what)).size).toBe(1);
    expect(new Set(drawn.map(({ pid }) => pid)).size).toBe(2);
    const { events } = await client.getSession('s');
    expect(events).toHaveLength(2);
    const said = JSON.parse(textOf(events.at(-1)) ?? '') as { first: number; second: string; drawn: unknown };
    expect(said).toMatchObject({ first: drawn[0]?.pid, second: 'b' });
    expect(`drawn ${JSON.stringify(said.drawn)}`).toBe(drawn[0]?.what);
  }, 60_000);

  it('fails with REPLAY_DIVERGED when it goes another way, and the session is served again', async () => {
    const client = new Client(skein.url, 'unstable');
    await client.createSession('s');

    const shown = await runKilled(client);

    expect(count('charged')).toBe(1);
    const { events } = await client.getSession('s');
    expect(events.map(({ author }) => author)).toEqual(['user', 'root', 'root']);
    expect(events.at(-1)).toMatchObject({
      errorCode: 'REPLAY_DIVERGED',
      errorMessage: expect.stringMatching(/step:charge-\d+\.0, asked for was .*step:charge-\d+\.0\./),
    });
    expect(shown.at(-1)).toMatchObject({ error: expect.stringMatching(/^REPLAY_DIVERGED: /) });
    const again = await client.runSse('s', 'again');
    expect(textOf(again.at(-1)?.data)).toMatch(/^charged by/);
  }, 60_000);

  it('goes on from its history where the app says so, without saying the message again', async () => {
    const client = new Client(skein.url, 'forgiving');
    await client.createSession('s');

    const shown = await runKilled(client);

    expect(count('charged')).toBe(2);
    const { events } = await client.getSession('s');
    expect(events.map(({ author }) => author)).toEqual(['user', 'root', 'root', 'root']);
    expect(events.slice(1).map(textOf)).toEqual(['begun', 'begun', expect.stringMatching(/^charged by/)]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(4);
    expect(shown.at(-1)).toMatchObject({ id: events.at(-1)?.id });
  }, 60_000);
});
