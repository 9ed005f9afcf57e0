import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { type Event } from '@skein/contracts';
import { Client, textOf } from '../support/client';
import { Skein } from '../support/skein';

const MEGABYTE = 1024 * 1024;
const LIMIT_MEGABYTES = 64;

const AGENT = `
import { createHash } from 'node:crypto';
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';
const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const written = (megabytes) => 'skein'.repeat((megabytes * ${MEGABYTE}) / 5 | 0);
const make = new FunctionTool({
  name: 'make',
  description: 'Gives so much.',
  timeoutMs: 120_000,
  execute: ({ megabytes }) => written(megabytes),
});
const take = new FunctionTool({
  name: 'take',
  description: 'Tells what it was given.',
  timeoutMs: 120_000,
  execute: ({ text }) => ({ length: text.length, sha256: sha256(text) }),
});
const call = (name, args) => ({ content: { role: 'model', parts: [{ functionCall: { name, args } }] } });
export const rootAgent = new LlmAgent({
  name: 'carrier',
  tools: [make, take],
  model: new ScriptedLlm({
    rules: [
      { when: /^take: (.*)/, respond: ([, told]) => told },
      { when: /^make: /, respond: () => 'Made.' },
      { when: /^make (\\d+)/, respond: ([, megabytes]) => call('make', { megabytes: Number(megabytes) }) },
      { when: /^take (\\d+)/, respond: ([, megabytes]) => call('take', { text: written(Number(megabytes)) }) },
    ],
  }),
});
`;

describe('what a tool is given and gives, above the size of a message', () => {
  let skein: Skein;
  let client: Client;

  beforeAll(async () => {
    skein = await Skein.start({
      agents: { carrier: AGENT },
      env: {
        RUNNERS: '1',
        TOOL_WORKERS: '1',
        TOOL_RESULT_LIMIT_BYTES: String(LIMIT_MEGABYTES * MEGABYTE),
        SCRIPTED_LLM_LOG: undefined,
      },
    });
    client = new Client(skein.url, 'carrier');
  }, 120_000);

  afterAll(() => skein?.stop(), 60_000);

  it('row 36: a result of 50 MB is in the session, as it was given', async () => {
    await client.createSession('result');

    const { body } = await client.run('result', 'make 50');

    const text = responseOf(body).result as string; // Its length and hash are looked at.
    expect([text.length, sha256(text)]).toEqual([written(50).length, sha256(written(50))]);
    expect(textOf(body.at(-1))).toBe('Made.');
    const { events } = await client.getSession('result');
    expect(sha256(responseOf(events).result as string)).toBe(sha256(text));
    expect(readdirSync(path.join(skein.dataDir, 'payloads'))).not.toEqual([]);
  }, 180_000);

  it('row 36: arguments of 50 MB reach the tool, as they were given', async () => {
    await client.createSession('arguments');

    const { body } = await client.run('arguments', 'take 50');

    expect(responseOf(body)).toEqual({ length: written(50).length, sha256: sha256(written(50)) });
  }, 180_000);

  it('row 35: a result beyond the limit is an error the model reads, with both sizes; the next call works', async () => {
    await client.createSession('beyond');

    const { body } = await client.run('beyond', `make ${LIMIT_MEGABYTES + 2}`);

    const limit = LIMIT_MEGABYTES * MEGABYTE;
    expect(responseOf(body).error).toMatch(
      new RegExp(`^Tool 'make' returned \\d{8} bytes, above the limit of ${limit}`),
    );
    expect(textOf(body.at(-1))).toBe('Made.');
    expect(responseOf((await client.run('beyond', 'make 1')).body).result).toHaveLength(written(1).length);
  }, 180_000);
});

function written(megabytes: number): string {
  return 'skein'.repeat(Math.floor((megabytes * MEGABYTE) / 5));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function responseOf(events: readonly Event[]): Record<string, unknown> {
  const parts = events.flatMap(({ content }) => content?.parts ?? []);
  const response = parts.map((part) => part.functionResponse?.response).findLast(Boolean);
  if (!response) throw new Error('no tool answered');
  return response;
}
