import { Client, textOf } from '../support/client';
import { Skein } from '../support/skein';

const AGENT = `
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';
import { z } from 'zod';

const recall = new FunctionTool({
  name: 'recall',
  description: 'Searches what was said before.',
  parameters: z.object({ query: z.string() }),
  execute: async ({ query }, context) => {
    const { memories } = await context.searchMemory(query);
    return { said: memories.map(({ content }) => content.parts[0].text) };
  },
});

export const rootAgent = new LlmAgent({
  name: 'rememberer',
  tools: [recall],
  model: new ScriptedLlm({
    rules: [
      {
        when: /^what of (\\S+)/,
        respond: (match) => ({
          content: { role: 'model', parts: [{ functionCall: { name: 'recall', args: { query: match[1] } } }] },
        }),
      },
      { when: /^recall: (.*)/, respond: (match) => match[1] },
      { when: /.*/, respond: () => 'Noted.' },
    ],
  }),
});
`;

describe('memory over four services (B61)', () => {
  let skein: Skein;

  beforeAll(async () => {
    skein = await Skein.start({ agents: { rememberer: AGENT } });
  }, 120_000);
  afterAll(() => skein?.stop(), 60_000);

  it('tells a tool in its worker what the same user said in another session, once that was taken up', async () => {
    const [ada, eve] = ['ada', 'eve'].map((user) => new Client(skein.url, 'rememberer', user));
    if (!ada || !eve) throw new Error('two clients were made');
    await ada.createSession('s1');
    await ada.run('s1', 'I live in Bern.');
    for (const client of [ada, eve]) await client.createSession('s2');
    const ask = async (client: Client) => textOf((await client.run('s2', 'what of bern')).body.at(-1));

    const before = await ask(ada);
    const taken = await ada.request('PATCH', '/apps/rememberer/users/ada/memory', { sessionId: 's1' });
    const [after, strangers] = [await ask(ada), await ask(eve)];

    expect([taken.status, taken.body]).toEqual([200, null]);
    expect(before).not.toContain('I live in Bern.');
    expect(after).toContain('I live in Bern.');
    expect(strangers).not.toContain('I live in Bern.');
  });
});
