import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Event } from '@skein/contracts';
import { Client, textOf } from '../support/client';
import { Skein } from '../support/skein';

const folder = mkdtempSync(path.join(tmpdir(), 'skein-effects-'));

const HEAD = `
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';

const folder = ${JSON.stringify(folder)};
const note = (name, text) => appendFileSync(path.join(folder, name), text + '\\n');
const notes = (name) => readFileSync(path.join(folder, name), 'utf8').trim().split('\\n');
const tool = (name, execute, options) => new FunctionTool({ name, description: '', execute, ...options });
const agent = (tool, count) =>
  new LlmAgent({
    name: 'one',
    tools: [tool],
    model: new ScriptedLlm({
      responses: [
        { content: { role: 'model', parts: Array.from({ length: count }, () => ({ functionCall: { name: tool.name, args: {} } })) } },
        { content: { role: 'model', parts: [{ text: 'done' }] } },
      ],
    }),
  });
`;

/** How many of it run at once, each says what it saw. */
const LIMITED = `${HEAD}
export const rootAgent = agent(
  tool(
    'lone',
    async (_args, { idempotencyKey }) => {
      const mine = path.join(folder, 'running-' + idempotencyKey);
      writeFileSync(mine, '');
      await pause(50);
      const seen = readdirSync(folder).filter((name) => name.startsWith('running-')).length;
      rmSync(mine);
      return { seen };
    },
    { maxConcurrency: 2 },
  ),
  12,
);
`;

const RATED = `${HEAD}
export const rootAgent = agent(
  tool('rated', () => ({ at: Date.now() }), { rateLimit: { calls: 2, perMs: 600 } }),
  6,
);
`;

/** Throws \`failures\` times, then tells of its attempts. */
const flaky = (name: string, failures: number, options: string): string => `${HEAD}
export const rootAgent = agent(
  tool(
    'flaky',
    (_args, { idempotencyKey }) => {
      note('${name}', idempotencyKey);
      if (notes('${name}').length <= ${failures}) throw new Error('not yet');
      return { attempts: notes('${name}').length, keys: new Set(notes('${name}')).size };
    },
    ${options},
  ),
  1,
);
`;

const UNSERVED = `${HEAD}
export const rootAgent = agent(
  tool('lost', () => 1, { pool: 'nowhere', scheduleToStartTimeoutMs: 1_000 }),
  1,
);
`;

describe('calls that wait, and calls that are tried again', () => {
  let skein: Skein;

  beforeAll(async () => {
    const agents = {
      limited: LIMITED,
      rated: RATED,
      flaky: flaky('flaky', 2, '{ retry: { maxAttempts: 4, backoffMs: 20 } }'),
      spent: flaky('spent', 9, '{ retry: { maxAttempts: 3, backoffMs: 20 } }'),
      plain: flaky('plain', 9, '{}'),
      once: flaky('once', 9, "{ sideEffect: 'once', retry: { maxAttempts: 3, backoffMs: 20 } }"),
      unserved: UNSERVED,
    };
    skein = await Skein.start({ agents, env: { TOOL_WORKERS: '2', RUNNERS: '2' } });
  }, 120_000);

  afterAll(async () => {
    await skein?.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  async function play(app: string): Promise<Record<string, unknown>[]> {
    const client = new Client(skein.url, app);
    await client.createSession('s');
    const { body } = await client.run('s', 'go');
    expect(textOf(body.at(-1))).toBe('done');
    return responsesOf(body);
  }

  function responsesOf(events: readonly Event[]): Record<string, unknown>[] {
    return events
      .flatMap((event) => event.content?.parts ?? [])
      .flatMap((part) => (part.functionResponse?.response ? [part.functionResponse.response] : []));
  }

  it('never run more at once than maxConcurrency, and all come to their end', async () => {
    const responses = await play('limited');

    const seen = responses.map((response) => Number(response.seen));
    expect(seen).toHaveLength(12);
    expect(Math.max(...seen)).toBeLessThanOrEqual(2);
    expect(readdirSync(folder).filter((name) => name.startsWith('running-'))).toEqual([]);
  }, 60_000);

  it('begin no faster than their rate lets them', async () => {
    const times = (await play('rated')).map((response) => Number(response.at)).sort((a, b) => a - b);

    expect(times).toHaveLength(6);
    // Two at once, then one in 300 ms.
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(1_000);
  }, 60_000);

  it('run again after a throw, under the same key, when their author asked for it', async () => {
    expect(await play('flaky')).toEqual([{ attempts: 3, keys: 1 }]);
  }, 60_000);

  it.each([
    ['spent', 3],
    ['plain', 1],
    ['once', 1],
  ])(
    'of "%s" end with the error of their last attempt, the %d.',
    async (app, attempts) => {
      const [response] = await play(app);

      expect(String(response?.error)).toContain('not yet');
      expect(readFileSync(path.join(folder, app), 'utf8').trim().split('\n')).toHaveLength(attempts);
    },
    60_000,
  );

  it('that nobody can run end at their start deadline, and the model reads why', async () => {
    const [response] = await play('unserved');

    expect(String(response?.error)).toContain("no worker that serves it in pool 'nowhere'");
  }, 60_000);
});
