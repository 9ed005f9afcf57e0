import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, textOf } from '../support/client';
import { Skein } from '../support/skein';

const agentOf = (effects: string): string => `
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';

const note = (change) => appendFileSync(${JSON.stringify(effects)}, change + '\\n');
const deaf = new FunctionTool({
  name: 'deaf',
  description: 'Goes on whatever it is told.',
  isolation: 'inline',
  timeoutMs: 300,
  maxConcurrency: 1,
  execute: async () => {
    note(1);
    await pause(2_500);
    note(-1);
  },
});

const call = { functionCall: { name: 'deaf', args: {} } };
export const rootAgent = new LlmAgent({
  name: 'limited',
  tools: [deaf],
  model: new ScriptedLlm({
    responses: [
      { content: { role: 'model', parts: [call, call, call] } },
      { content: { role: 'model', parts: [{ text: 'It is over.' }] } },
    ],
  }),
});
`;

describe('a tool that goes on after the time of its call', () => {
  let skein: Skein;
  let folder: string;
  let effects: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'skein-left-'));
    effects = path.join(folder, 'effects');
    skein = await Skein.start({ agents: { limited: agentOf(effects) } });
  }, 180_000);

  afterAll(async () => {
    await skein?.stop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  it('keeps its place below maxConcurrency until it is done, in the whole fleet', async () => {
    const client = new Client(skein.url, 'limited');
    await client.createSession('s');

    const frames = await client.runSse('s', 'go');

    expect(textOf(frames.at(-1)?.data)).toBe('It is over.');
    const changes = readFileSync(effects, 'utf8').trim().split('\n').map(Number);
    expect(changes.filter((change) => change === 1)).toHaveLength(3);
    let running = 0;
    expect(Math.max(...changes.map((change) => (running += change)))).toBe(1);
  }, 120_000);
});
