import { type Part } from '@skein/contracts';
import { type GenerateContentConfig } from '@skein/engine';
import { aRequest, saying } from '@skein/testing';
import { cameFrom } from '../request/part-origin';
import { toAnthropicRequest } from './to-anthropic-request';

const ADAPTIVE = 'claude-sonnet-5';
const MANUAL = 'claude-sonnet-4-5-20250929';

describe('toAnthropicRequest', () => {
  it('asks for what was said, within a limit of tokens', () => {
    expect(requestOf({})).toEqual({
      model: ADAPTIVE,
      max_tokens: 100,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    });
  });

  it('passes on the settings that the API takes, and leaves out those that it refuses', () => {
    const config = { systemInstruction: 'Be kind.', maxOutputTokens: 7, stopSequences: ['END'] };

    expect(requestOf({ ...config, temperature: 0.5, topP: 0.5, topK: 5, seed: 1 })).toEqual({
      model: ADAPTIVE,
      max_tokens: 7,
      messages: expect.anything(),
      system: [{ type: 'text', text: 'Be kind.' }],
      stop_sequences: ['END'],
    });
  });

  it('marks what is to be kept in a cache: the instruction with the tools, and the end of the conversation', () => {
    const mark = { type: 'ephemeral', ttl: '1h' };
    const request = { ...saying('hi'), config: { systemInstruction: 'Be kind.' } };

    const { parameters } = toAnthropicRequest(request, ADAPTIVE, { maxTokens: 100, cache: '1h' });
    expect(parameters).toMatchObject({
      system: [{ type: 'text', text: 'Be kind.', cache_control: mark }],
      cache_control: mark,
    });
  });

  it.each([
    ['maxOutputTokens', { maxOutputTokens: 0 }],
    ['thinkingConfig', { thinkingConfig: 'much' }],
    ['stopSequences.0', { stopSequences: [1] }],
  ])('refuses a setting of another form by its name: %s', (name, config) => {
    expect(() => requestOf(config as GenerateContentConfig)).toThrow(
      expect.objectContaining({ code: 'model.bad-config', message: expect.stringContaining(name) }),
    );
  });
});

describe('toAnthropicRequest: tools', () => {
  const declared = [
    {
      name: 'f',
      description: 'Does.',
      parametersJsonSchema: { type: 'object', properties: { a: { type: 'string' } } },
    },
    { name: 'g', description: '', parameters: { type: 'OBJECT', properties: { n: { type: 'INTEGER' } } } },
    { name: 'h', description: 'Pings.' },
  ];
  const tools = [{ functionDeclarations: declared }];

  it('declares functions in either form of schema', () => {
    expect(requestOf({ tools })).toMatchObject({
      tools: [
        {
          name: 'f',
          description: 'Does.',
          input_schema: { type: 'object', properties: { a: { type: 'string' } } },
        },
        { name: 'g', input_schema: { type: 'object', properties: { n: { type: 'integer' } } } },
        { name: 'h', description: 'Pings.', input_schema: { type: 'object', properties: {} } },
      ],
    });
    expect(requestOf({ tools }).tool_choice).toBeUndefined();
  });

  it.each([
    [{ mode: 'AUTO' }, undefined, ['f', 'g', 'h']],
    [{ mode: 'NONE' }, { type: 'none' }, ['f', 'g', 'h']],
    [{ mode: 'ANY' }, { type: 'any' }, ['f', 'g', 'h']],
    [{ mode: 'ANY', allowedFunctionNames: ['g'] }, { type: 'tool', name: 'g' }, ['f', 'g', 'h']],
    [{ mode: 'ANY', allowedFunctionNames: ['f', 'g'] }, { type: 'any' }, ['f', 'g']],
  ])('says whether one of them has to be called: %j', (functionCallingConfig, choice, names) => {
    const request = requestOf({ tools, toolConfig: { functionCallingConfig } });

    expect(request.tool_choice).toEqual(choice);
    expect(request.tools?.map((tool) => 'name' in tool && tool.name)).toEqual(names);
  });

  it('has a name in the letters of the API for a tool of another', () => {
    const files = [{ functionDeclarations: [{ name: 'files.read', description: 'Reads.' }] }];
    const functionCall = { id: 'a', name: 'files.read', args: {} };
    const contents = [{ role: 'model', parts: [{ functionCall }] }];
    const functionCallingConfig = { mode: 'ANY', allowedFunctionNames: ['files.read'] };
    const config = { tools: files, toolConfig: { functionCallingConfig } };
    const { parameters, names } = toAnthropicRequest(aRequest({ contents, config }), ADAPTIVE, {
      maxTokens: 100,
    });

    expect(parameters).toMatchObject({
      tools: [{ name: 'files_read' }],
      tool_choice: { name: 'files_read' },
      messages: [{}, { content: [{ type: 'tool_use', name: 'files_read' }] }, {}],
    });
    expect(names.meant('files_read')).toBe('files.read');
  });

  it('names a tool of Google that Claude has not', () => {
    const others = [{ googleSearch: {} }] as unknown as GenerateContentConfig['tools'];

    expect(() => requestOf({ tools: others })).toThrow(
      expect.objectContaining({
        code: 'model.unsupported-tool',
        message: expect.stringContaining('googleSearch'),
      }),
    );
  });
});

describe('toAnthropicRequest: the shape of an answer', () => {
  it('is asked for in JSON Schema of either form; what the API cannot hold to is described', () => {
    const responseJsonSchema = {
      type: 'object',
      properties: { city: { type: 'string', minLength: 2 } },
      required: ['city'],
    };
    const responseSchema = { type: 'OBJECT', properties: { city: { type: 'STRING' } } };

    expect(requestOf({ responseJsonSchema }).output_config).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          properties: { city: { type: 'string', description: '{minLength: 2}' } },
          required: ['city'],
          additionalProperties: false,
        },
      },
    });
    expect(requestOf({ responseSchema }).output_config?.format?.schema).toMatchObject({
      type: 'object',
      properties: { city: { type: 'string' } },
    });
  });
});

describe('toAnthropicRequest: thinking', () => {
  it.each([
    [{}, undefined, undefined, 100],
    [{ thinkingBudget: 0 }, { type: 'disabled' }, undefined, 100],
    [{ thinkingBudget: -1 }, { type: 'adaptive' }, undefined, 8_292],
    [{ includeThoughts: true }, { type: 'adaptive', display: 'summarized' }, undefined, 8_292],
    [{ includeThoughts: false }, undefined, undefined, 100],
    [{ thinkingBudget: 2_000 }, { type: 'adaptive' }, 'low', 2_100],
    [{ thinkingLevel: 'MEDIUM' }, { type: 'adaptive' }, 'medium', 8_292],
    [
      { thinkingLevel: 'HIGH', includeThoughts: false },
      { type: 'adaptive', display: 'omitted' },
      'high',
      16_484,
    ],
  ])('of %j is an effort for a model that chooses itself', (thinkingConfig, thinking, effort, limit) => {
    const request = requestOf({ thinkingConfig });

    expect(request.thinking).toEqual(thinking);
    expect(request.output_config?.effort).toEqual(effort);
    expect(request.max_tokens).toBe(limit);
  });

  it.each([
    [{ thinkingBudget: 2_000 }, 2_000],
    [{ thinkingBudget: 5 }, 1_024],
    [{ thinkingLevel: 'HIGH' }, 16_384],
    [{ thinkingBudget: -1 }, 8_192],
  ])('of %j is a budget for a model before 4.6', (thinkingConfig, budget) => {
    const request = requestOf({ thinkingConfig }, MANUAL);

    expect(request).toMatchObject({
      thinking: { type: 'enabled', budget_tokens: budget },
      max_tokens: budget + 100,
    });
    expect(request.output_config).toBeUndefined();
  });

  it.each([
    ['claude-3-7-sonnet-20250219', 'enabled'],
    ['claude-opus-4-20250514', 'enabled'],
    ['claude-opus-4-1-20250805', 'enabled'],
    ['claude-haiku-4-5', 'enabled'],
    ['claude-opus-4-6', 'adaptive'],
    ['claude-sonnet-4-7-20260301', 'adaptive'],
    ['claude-opus-5-5', 'adaptive'],
    ['claude-mythos-preview', 'adaptive'],
  ])('of %s is of the kind that it takes: %s', (model, type) => {
    expect(requestOf({ thinkingConfig: { thinkingBudget: 2_000 } }, model).thinking?.type).toBe(type);
  });

  it("keeps a budget below the agent's own limit", () => {
    const config = { thinkingConfig: { thinkingBudget: 5_000 }, maxOutputTokens: 3_000 };

    expect(requestOf(config, MANUAL)).toMatchObject({
      thinking: { budget_tokens: 2_999 },
      max_tokens: 3_000,
    });
  });

  it.each([MANUAL, ADAPTIVE])('gives way to a call that is forced: %s thinks or obeys, not both', (model) => {
    const config = {
      tools: [{ functionDeclarations: [{ name: 'f', description: '' }] }],
      thinkingConfig: { thinkingBudget: 2_000 },
    };
    const forced = (functionCallingConfig: object) =>
      requestOf({ ...config, toolConfig: { functionCallingConfig } }, model).thinking;

    expect(forced({ mode: 'ANY' })).toBeUndefined();
    expect(forced({ mode: 'ANY', allowedFunctionNames: ['f'] })).toBeUndefined();
    expect(forced({ mode: 'AUTO' })).toBeDefined();
    expect(forced({ mode: 'NONE' })).toBeDefined();
  });

  it('is refused where the limit of the agent leaves no room for the least budget', () => {
    const maxOutputTokens = 1_024;

    expect(() => requestOf({ thinkingConfig: { thinkingBudget: 2_000 }, maxOutputTokens }, MANUAL)).toThrow(
      expect.objectContaining({
        code: 'model.bad-config',
        message: expect.stringMatching(/maxOutputTokens.*1024/),
      }),
    );
    expect(requestOf({ thinkingConfig: { thinkingBudget: -1 }, maxOutputTokens }, MANUAL).thinking).toBe(
      undefined,
    );
    expect(requestOf({ thinkingConfig: { thinkingBudget: 2_000 }, maxOutputTokens }).thinking).toBeDefined();
  });

  it('takes a level in any case of letters', () => {
    expect(requestOf({ thinkingConfig: { thinkingLevel: 'high' } }).output_config?.effort).toBe('high');
  });

  it('waits with a budget while calls are answered that were made without a thought', () => {
    const call = { functionCall: { id: 'a', name: 'f', args: {} } };
    const thought = {
      text: 'Hm.',
      thought: true,
      thoughtSignature: 'c2ln',
      ...cameFrom({ provider: 'anthropic' }),
    };
    const thinkingOf = (...said: Part[]) =>
      toAnthropicRequest(
        aRequest({
          contents: [
            { role: 'user', parts: [{ text: 'hi' }] },
            { role: 'model', parts: said },
            { role: 'user', parts: [{ functionResponse: { id: 'a', name: 'f', response: {} } }] },
          ],
          config: { thinkingConfig: { thinkingBudget: 2_000 } },
        }),
        MANUAL,
        { maxTokens: 100 },
      ).parameters.thinking;

    expect(thinkingOf(call)).toBeUndefined();
    expect(thinkingOf(thought, call)).toMatchObject({ type: 'enabled' });
  });
});

function requestOf(config: GenerateContentConfig, model = ADAPTIVE) {
  return toAnthropicRequest({ ...saying('hi'), config }, model, { maxTokens: 100 }).parameters;
}
