import { Client, textOf } from '../support/client';
import { Skein } from '../support/skein';

const GOOD = `
import { LlmAgent, ScriptedLlm } from '@skein/adk';

export const rootAgent = new LlmAgent({
  name: 'fine',
  model: new ScriptedLlm({ rules: [{ when: /./, respond: () => 'All is well.' }] }),
});
`;

/** As it was written for npm's package, with a model of its own in the place of Gemini. */
const OF_GOOGLE_ADK = `
import { BaseLlm, FunctionTool, LlmAgent, type LlmRequest, type LlmResponse } from '@google/adk';
import { Type, type Schema } from '@google/genai';
import { z } from 'zod';

class Parrot extends BaseLlm {
  constructor() {
    super({ model: 'parrot' });
  }
  async *generateContentAsync({ contents }: LlmRequest): AsyncGenerator<LlmResponse, void> {
    const { functionResponse } = contents.at(-1)?.parts?.[0] ?? {};
    const part = functionResponse
      ? { text: JSON.stringify(functionResponse.response) }
      : { functionCall: { name: 'weather', args: { city: 'Oslo', unit: 'C' } } };
    yield { content: { role: 'model', parts: [part] } };
  }
  async connect(): Promise<never> {
    throw new Error('not live');
  }
}

const city: Schema = { type: Type.STRING, description: 'Its name.' };
const cities = new FunctionTool({
  name: 'cities',
  description: 'Whether there is such a city.',
  parameters: { type: Type.OBJECT, properties: { city } },
  execute: () => ({ found: true }),
});
const weather = new FunctionTool({
  name: 'weather',
  description: 'The weather of a city.',
  parameters: z.object({ city: z.string(), unit: z.enum(['C', 'F']) }),
  execute: ({ city, unit }) => ({ report: city + ': 7 ' + unit }),
});

export const rootAgent = new LlmAgent({ name: 'forecaster', model: new Parrot(), tools: [weather, cities] });
`;

const THROWS = `import { LlmAgent } from '@skein/adk';

export const nothing: LlmAgent = undefined as never;
throw new Error('no luck today');
`;

/** What is thrown is thrown by the framework, of what the author wrote. */
const REFUSED = `import { LlmAgent } from '@skein/adk';

export const rootAgent = new LlmAgent({
  name: 'not a name',
});
`;

describe('agents from a folder', () => {
  let skein: Skein;

  beforeAll(async () => {
    skein = await Skein.start({
      agents: {
        fine: GOOD,
        forecast: OF_GOOGLE_ADK,
        throwing: THROWS,
        refused: REFUSED,
        syntax: 'export const = 1;\n',
        empty: 'export {};\n',
        _hidden: GOOD,
      },
    });
  }, 120_000);

  afterAll(() => skein?.stop(), 60_000);

  it('lists the apps of the folder, sorted, without hidden ones', async () => {
    const { body } = await new Client(skein.url, 'fine').request('GET', '/list-apps');
    expect(body).toEqual(['empty', 'fine', 'forecast', 'refused', 'syntax', 'throwing']);
  });

  it.each([
    ['throwing', /throwing\/agent\.ts:4.*no luck today/s],
    ['refused', /^agent\.load-failed: [^ ]*refused\/agent\.ts:3: /],
    ['syntax', /syntax\/agent\.ts:1/],
    ['empty', /empty\/agent\.ts.*rootAgent/s],
  ])(
    'names file, line and reason of the broken agent %s, and stores it as the end of the run',
    async (app, reason) => {
      const client = new Client(skein.url, app);
      await client.createSession('s');

      const { status, body } = await client.request<{ detail: string; code: string }>('POST', '/run', {
        appName: app,
        userId: 'ada',
        sessionId: 's',
        newMessage: { parts: [{ text: 'hello' }] },
      });

      expect(status).toBe(500);
      expect(body.code).toBe('run.failed');
      expect(body.detail).toMatch(/^agent\.load-failed: /);
      expect(body.detail).toMatch(reason);
      const { events } = await client.getSession('s');
      expect(events.map(({ author }) => author)).toEqual(['user', app]);
      expect(events[1]?.errorCode).toBe('agent.load-failed');
    },
  );

  it('goes on serving the other apps', async () => {
    const client = new Client(skein.url, 'fine');
    await client.createSession('s');
    const { body } = await client.run('s', 'how are you?');
    expect(textOf(body.at(-1))).toBe('All is well.');
  });

  it('runs an agent that imports @google/adk, unchanged, its tool in a worker', async () => {
    const client = new Client(skein.url, 'forecast');
    await client.createSession('s');
    const { status, body } = await client.run('s', 'And in Oslo?');
    expect({ status, body }).toMatchObject({ status: 200 });

    expect(textOf(body.at(-1))).toBe('{"report":"Oslo: 7 C"}');
    expect(body[1]?.customMetadata).toMatchObject({ 'skein.tools': [{ tool: 'weather' }] });
  });
});
