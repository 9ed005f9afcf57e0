/// <reference types="jest" />
import { type ProviderDialect } from '../../providers/provider-dialect';
import { model, type Trial, user } from './trial';

const NOTHING_SAID = 'Handle the requests as specified in the System Instruction.';
const MODEL_SAID_LAST =
  'Continue processing previous requests as instructed. Exit or provide a summary if no more outputs are needed.';

const DECLARED = [
  {
    functionDeclarations: [
      {
        name: 'weather',
        description: 'Tells the weather.',
        parametersJsonSchema: {
          type: 'object',
          properties: { city: { type: 'string', description: 'Where.' } },
          required: ['city'],
        },
      },
      { name: 'ping', description: 'Pings.' },
    ],
  },
];

/** What the engine asks is what the provider hears. */
export function requestCases(trial: Trial, dialect: ProviderDialect): void {
  it('holds what was said, by whom, and the model', async () => {
    const contents = [user('hi'), model('Hello.'), user('How are', ' you?')];
    const before = structuredClone(contents);

    expect(await trial.heard({ contents })).toMatchObject({
      model: trial.server.model,
      turns: [
        { role: 'user', parts: [{ text: 'hi' }] },
        { role: 'model', parts: [{ text: 'Hello.' }] },
        { role: 'user', parts: [{ text: 'How are' }, { text: ' you?' }] },
      ],
      tools: [],
      thinks: false,
    });
    expect(contents).toEqual(before);
  });

  it('says something for a user who said nothing (B14)', async () => {
    const { turns } = await trial.heard({ contents: [] });

    expect(turns).toEqual([{ role: 'user', parts: [{ text: NOTHING_SAID }] }]);
  });

  it('asks the model to go on when it spoke last (B14)', async () => {
    const { turns } = await trial.heard({ contents: [user('hi'), model('Well.')] });

    expect(turns.slice(1)).toEqual([
      { role: 'model', parts: [{ text: 'Well.' }] },
      { role: 'user', parts: [{ text: MODEL_SAID_LAST }] },
    ]);
  });

  it('tells the system instruction, and none when there is none', async () => {
    expect((await trial.heard({ config: { systemInstruction: 'Be kind.' } })).system).toBe('Be kind.');
    expect((await trial.heard({})).system).toBeUndefined();
  });

  it('declares the tools', async () => {
    const { tools, choice } = await trial.heard({ config: { tools: DECLARED } });

    expect(tools).toEqual(['weather', 'ping']);
    expect(choice?.mode ?? 'auto').toBe('auto');
  });

  it.each([
    ['a call has to be made', { mode: 'ANY' }, { mode: 'any' }],
    [
      'a call of one tool has to be made',
      { mode: 'ANY', allowedFunctionNames: ['ping'] },
      { mode: 'any', names: ['ping'] },
    ],
    ['no call may be made', { mode: 'NONE' }, { mode: 'none' }],
  ])('says that %s', async (_what, functionCallingConfig, expected) => {
    const config = { tools: DECLARED, toolConfig: { functionCallingConfig } };

    expect((await trial.heard({ config })).choice).toEqual(expected);
  });

  it('asks for an answer of a schema, in either form', async () => {
    const jsonSchema = {
      type: 'object',
      properties: { city: { type: 'string' }, nights: { type: 'integer' } },
      required: ['city', 'nights'],
      additionalProperties: false,
    };
    const genaiSchema = {
      type: 'OBJECT',
      properties: { city: { type: 'STRING' }, nights: { type: 'INTEGER' } },
      required: ['city', 'nights'],
    };
    const responseMimeType = 'application/json';
    const { type, properties, required } = jsonSchema;

    for (const config of [{ responseSchema: genaiSchema }, { responseJsonSchema: jsonSchema }]) {
      const { json } = await trial.heard({ config: { ...config, responseMimeType } });
      expect(json).toMatchObject({ schema: { type, properties, required } });
    }
    expect((await trial.heard({})).json).toBeUndefined();
  });

  if (!dialect.lacks.includes('json-without-schema'))
    it('asks for JSON of no schema', async () => {
      expect((await trial.heard({ config: { responseMimeType: 'application/json' } })).json).toEqual({});
    });

  it('passes the settings on', async () => {
    const taken = { maxOutputTokens: 321, stopSequences: ['END'] };
    const config = { temperature: 0.5, ...taken };
    const { settings } = await trial.heard({ config });

    expect(settings).toMatchObject(taken);
    const { lacks } = trial.server.dialect;
    expect(settings.temperature).toBe(lacks.includes('temperature') ? undefined : config.temperature);
  });

  if (dialect.thoughts !== 'none')
    it('asks for thoughts', async () => {
      const thinkingConfig = { includeThoughts: true, thinkingBudget: 2048 };

      expect((await trial.heard({ config: { thinkingConfig, maxOutputTokens: 8192 } })).thinks).toBe(true);
    });
}
