import { aRequest, saying } from '@skein/testing';
import { toOpenAIRequest } from './to-openai-request';

const own = { model: 'gpt-4o', baseUrl: undefined, stream: false };
const others = { model: 'openai/llama3', baseUrl: 'http://localhost:11434/v1', stream: true };

function bodyOf(config: Record<string, unknown>, call: typeof own | typeof others = own) {
  return toOpenAIRequest({ ...saying('hi'), config }, call).body;
}

const tools = [
  {
    functionDeclarations: [
      { name: 'files.read', description: 'Reads.', parameters: { type: 'OBJECT', properties: {} } },
      { name: 'g', description: '' },
    ],
  },
];

describe('toOpenAIRequest', () => {
  it('names the model without the prefix that names the adapter', () => {
    expect(bodyOf({}, others)).toEqual({
      model: 'llama3',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(toOpenAIRequest(aRequest(), { ...others, model: 'openai/openai/gpt-oss' }).body.model).toBe(
      'openai/gpt-oss',
    );
  });

  it('tells the system instruction, also as content', () => {
    const parts = [{ text: 'Be kind.' }, { text: 'Be short.' }];

    for (const systemInstruction of ['Be kind.\nBe short.', { role: 'user', parts }, parts]) {
      expect(bodyOf({ systemInstruction }).messages[0]).toEqual({
        role: 'system',
        content: 'Be kind.\nBe short.',
      });
    }
  });

  it("passes the settings on by OpenAI's names, and leaves out what it has none for", () => {
    const config = {
      ...{ temperature: 0, topP: 0.9, topK: 5, maxOutputTokens: 100, stopSequences: ['END'], seed: 7 },
      ...{ presencePenalty: 0.1, frequencyPenalty: 0.2, responseLogprobs: true, logprobs: 3 },
      ...{ candidateCount: 2, safetySettings: [], labels: { a: 'b' } },
    };
    const settings = {
      ...{ temperature: 0, top_p: 0.9, stop: ['END'], seed: 7, presence_penalty: 0.1 },
      ...{ frequency_penalty: 0.2, logprobs: true, top_logprobs: 3 },
    };
    const { model: _model, messages: _messages, ...sent } = bodyOf(config);

    expect(sent).toEqual({ ...settings, max_completion_tokens: 100 });
    expect(bodyOf(config, others)).toMatchObject({ ...settings, max_tokens: 100, top_k: 5 });
    expect(bodyOf(config, others)).not.toHaveProperty('max_completion_tokens');
  });

  it.each([
    [{ thinkingBudget: 0 }, 'none'],
    [{ thinkingBudget: 1024 }, 'low'],
    [{ thinkingBudget: 8192 }, 'medium'],
    [{ thinkingBudget: 24_576 }, 'high'],
    [{ thinkingBudget: -1 }, undefined],
    [{ thinkingLevel: 'MINIMAL', thinkingBudget: 9 }, 'minimal'],
    [{ thinkingLevel: 'high' }, 'high'],
    [{ thinkingLevel: 'THINKING_LEVEL_UNSPECIFIED', thinkingBudget: 0 }, 'none'],
    [{ includeThoughts: true }, undefined],
  ])('asks for so much thought: %j', (thinkingConfig, effort) => {
    expect(bodyOf({ thinkingConfig }).reasoning_effort).toBe(effort);
  });

  it('declares tools, in JSON Schema and under names the API takes', () => {
    const { body, names } = toOpenAIRequest({ ...saying('hi'), config: { tools } }, own);

    expect(body.tools).toEqual([
      {
        type: 'function',
        function: {
          name: 'files_read',
          description: 'Reads.',
          parameters: { type: 'object', properties: {} },
        },
      },
      { type: 'function', function: { name: 'g', parameters: { type: 'object', properties: {} } } },
    ]);
    expect(names.meant('files_read')).toBe('files.read');
    expect(body).not.toHaveProperty('tool_choice');
  });

  it.each([
    [{ mode: 'AUTO' }, 'auto', 2],
    [{ mode: 'NONE' }, 'none', 2],
    [{ mode: 'ANY' }, 'required', 2],
    [
      { mode: 'ANY', allowedFunctionNames: ['files.read'] },
      { type: 'function', function: { name: 'files_read' } },
      2,
    ],
    [{ mode: 'ANY', allowedFunctionNames: ['g', 'not.there'] }, 'required', 1],
  ])('chooses among them: %j', (functionCallingConfig, choice, count) => {
    const body = bodyOf({ tools, toolConfig: { functionCallingConfig } });

    expect(body.tool_choice).toEqual(choice);
    expect(body.tools).toHaveLength(count);
  });

  it('makes no choice among no tools, and refuses a tool that is no function', () => {
    expect(bodyOf({ toolConfig: { functionCallingConfig: { mode: 'ANY' } } })).not.toHaveProperty(
      'tool_choice',
    );
    expect(() => bodyOf({ tools: [{ googleSearch: {} }] })).toThrow(
      expect.objectContaining({
        code: 'model.unsupported-tool',
        message: expect.stringContaining('googleSearch'),
      }),
    );
  });

  it('asks for an answer of a schema, strictly where every field is required', () => {
    const properties = { city: { type: 'string' }, stops: { type: 'array', items: { type: 'string' } } };
    const required = ['city', 'stops'];
    const formatOf = (responseJsonSchema: object) =>
      bodyOf({ responseMimeType: 'application/json', responseJsonSchema }).response_format;

    expect(formatOf({ type: 'object', properties, required })).toEqual({
      type: 'json_schema',
      json_schema: {
        name: 'answer',
        strict: true,
        schema: { type: 'object', properties, required, additionalProperties: false },
      },
    });
    for (const loose of [
      { type: 'object', properties, required: ['city'] },
      { type: 'object', properties, required, additionalProperties: true },
      { type: 'object', properties: { city: { type: 'string', minLength: 2 } }, required: ['city'] },
      { type: 'object', properties: { a: { type: 'object' } }, required: ['a'] },
      { type: 'object', properties: { a: { type: 'string', format: 'uri' } }, required: ['a'] },
      { type: 'array', items: { type: 'string' } },
    ]) {
      expect(formatOf(loose)).toMatchObject({ json_schema: { strict: false, schema: loose } });
    }
  });

  it('takes a schema of google-genai, and JSON without one', () => {
    const responseSchema = { type: 'OBJECT', properties: { n: { type: 'INTEGER' } }, required: ['n'] };

    expect(bodyOf({ responseMimeType: 'application/json', responseSchema }).response_format).toMatchObject({
      json_schema: { strict: true, schema: { type: 'object', properties: { n: { type: 'integer' } } } },
    });
    const { response_format: format, messages } = bodyOf({ responseMimeType: 'application/json' });
    expect(format).toEqual({ type: 'json_object' });
    expect(messages[0]).toEqual({ role: 'system', content: 'Answer with a JSON object.' });
    expect(
      bodyOf({ responseMimeType: 'application/json', systemInstruction: 'Give me JSON.' }).messages,
    ).toHaveLength(2);
  });

  it('closes objects within lists, choices and definitions too', () => {
    const inner = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    const closed = { ...inner, additionalProperties: false };
    const schema = (item: object) => ({
      type: 'object',
      properties: {
        list: { type: 'array', items: item },
        choice: { anyOf: [item, { type: 'null' }] },
        named: { $ref: '#/$defs/named' },
      },
      required: ['list', 'choice', 'named'],
      $defs: { named: item },
    });

    expect(bodyOf({ responseJsonSchema: schema(inner) }).response_format).toMatchObject({
      json_schema: { strict: true, schema: { ...schema(closed), additionalProperties: false } },
    });
    expect(
      bodyOf({ responseJsonSchema: schema({ ...inner, minProperties: 1 }) }).response_format,
    ).toMatchObject({ json_schema: { strict: false } });
  });
});
