import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deadLetterDetailsSchema } from '@skein/contracts';
import { Client, textOf } from '../support/client';
import { Skein } from '../support/skein';
import { waitUntil } from '../support/wait-until';

const agentOf = (effects: string): string => `
import { appendFileSync } from 'node:fs';
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';

const poison = new FunctionTool({
  name: 'poison',
  description: 'Ends its worker.',
  isolation: 'inline',
  retry: { maxAttempts: 3 },
  execute: async () => {
    appendFileSync(${JSON.stringify(effects)}, process.pid + '\\n');
    process.exit(3);
  },
});
const fine = new FunctionTool({ name: 'fine', description: 'Works.', execute: async () => ({ ok: true }) });

export const rootAgent = new LlmAgent({
  name: 'careful',
  tools: [poison, fine],
  model: new ScriptedLlm({
    rules: [
      {
        when: /^(poison|fine)$/,
        respond: ([name]) => ({ content: { role: 'model', parts: [{ functionCall: { name, args: {} } }] } }),
      },
      { when: /.*/s, respond: () => ({ content: { role: 'model', parts: [{ text: 'It is over.' }] } }) },
    ],
  }),
});
`;

describe('a call that ends its worker each time', () => {
  let skein: Skein;
  let folder: string;
  let effects: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'skein-poison-'));
    effects = path.join(folder, 'effects');
    skein = await Skein.start({ agents: { careful: agentOf(effects) }, env: { ACK_WAIT_MS: '2000' } });
  }, 180_000);

  afterAll(async () => {
    await skein?.stop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  it('row 33: takes no more than its attempts, leaves a dead letter, and the calls beside it finish', async () => {
    const client = new Client(skein.url, 'careful');
    const sessions = ['s0', 's1', 's2', 's3'];
    for (const session of ['poisoned', ...sessions]) await client.createSession(session);

    const poisoned = client.runSse('poisoned', 'poison');
    const beside = await Promise.all(sessions.map((session) => client.runSse(session, 'fine')));
    const events = (await poisoned).map(({ data }) => data).filter(({ partial }) => !partial);

    expect(textOf(events.at(-1))).toBe('It is over.');
    for (const frames of beside) expect(textOf(frames.at(-1)?.data)).toBe('It is over.');
    expect(readFileSync(effects, 'utf8').trim().split('\n')).toHaveLength(3);
    const answer = await fetch(`${skein.url}/apps/careful/dead-letters?status=open`);
    const { deadLetters } = (await answer.json()) as { deadLetters: unknown[] };
    expect(deadLetters).toMatchObject([
      { tool: 'poison', code: 'tool.attempts-spent', sessionId: 'poisoned' },
    ]);
    const [letter] = deadLetters.map((one) => deadLetterDetailsSchema.partial().parse(one));
    expect(letter?.status).toBe('open');
    await waitUntil('the workers to be there again', () => skein.pidsOf('tool-worker').length === 2);
  }, 120_000);
});
