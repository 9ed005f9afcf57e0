import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type DeadLetter, type Event } from '@skein/contracts';
import { Client, textOf } from '../support/client';
import { Skein } from '../support/skein';
import { waitUntil } from '../support/wait-until';

const ATTEMPTS = 3;
const INNOCENTS = 4;

const agentOf = (effects: string): string => `
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';

const note = (name) => appendFileSync(${JSON.stringify(effects)}, name + '\\n');
const options = { isolation: 'inline', retry: { maxAttempts: ${ATTEMPTS} } };
const poison = new FunctionTool({
  ...options,
  name: 'poison',
  description: 'Ends its worker, and what runs beside it.',
  execute: async () => {
    note('poison');
    await pause(300);
    process.kill(process.pid, 'SIGKILL');
    await pause(60_000);
  },
});
const innocent = new FunctionTool({
  ...options,
  name: 'innocent',
  description: 'Takes longer than a worker lives that has the other.',
  execute: async () => {
    note('innocent');
    await pause(600);
    return { well: true };
  },
});

const call = (name) => ({ functionCall: { name, args: {} } });
const calls = [call('poison'), ...Array.from({ length: ${INNOCENTS} }, () => call('innocent'))];

export const rootAgent = new LlmAgent({
  name: 'crowded',
  tools: [poison, innocent],
  model: new ScriptedLlm({
    rules: [
      { when: /^together$/, respond: () => ({ content: { role: 'model', parts: calls } }) },
      { when: /.*/s, respond: () => ({ content: { role: 'model', parts: [{ text: 'It is over.' }] } }) },
    ],
  }),
});
`;

describe('calls beside one that ends its worker each time', () => {
  let skein: Skein;
  let folder: string;
  let effects: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'skein-beside-'));
    effects = path.join(folder, 'effects');
    // One worker, so that all of them are beside each other.
    const env = { ACK_WAIT_MS: '1000', TOOL_WORKERS: '1' };
    skein = await Skein.start({ agents: { crowded: agentOf(effects) }, env });
  }, 180_000);

  afterAll(async () => {
    await skein?.stop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  it('row 33: end with results of their own, and the other is spent after its attempts, each of them a start', async () => {
    const client = new Client(skein.url, 'crowded');
    await client.createSession('s');

    const events = (await client.runSse('s', 'together'))
      .map(({ data }) => data)
      .filter(({ partial }) => !partial);

    expect(textOf(events.at(-1))).toBe('It is over.');
    expect(responsesOf(events, 'innocent')).toEqual(
      Array.from({ length: INNOCENTS }, () => ({ well: true })),
    );
    expect(responsesOf(events, 'poison')).toEqual([
      { error: expect.stringContaining(`was given to workers ${ATTEMPTS} times and no result came`) },
    ]);
    const begun = readFileSync(effects, 'utf8').trim().split('\n');
    expect(begun.filter((name) => name === 'poison')).toHaveLength(ATTEMPTS);
    const answer = await fetch(`${skein.url}/apps/crowded/dead-letters?status=open`);
    const { deadLetters } = (await answer.json()) as { deadLetters: DeadLetter[] };
    expect(deadLetters).toMatchObject([{ tool: 'poison', code: 'tool.attempts-spent', attempts: ATTEMPTS }]);
    await waitUntil('the worker to be there again', () => skein.pidsOf('tool-worker').length === 1);
  }, 180_000);
});

function responsesOf(events: readonly Event[], tool: string): unknown[] {
  return events
    .flatMap((event) => event.content?.parts ?? [])
    .flatMap(({ functionResponse }) => (functionResponse?.name === tool ? [functionResponse.response] : []));
}
