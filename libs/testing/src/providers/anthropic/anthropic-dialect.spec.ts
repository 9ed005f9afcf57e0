import { type ProviderRequest } from '../provider-dialect';
import { createAnthropicDialect } from './anthropic-dialect';

const known = { apiKey: 'k', model: 'claude-sonnet-5' };
const hi = { role: 'user', content: 'hi' };
const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] };
const result = { type: 'tool_result', tool_use_id: 'a', content: '1' };
const tool = { name: 'f', input_schema: { type: 'object' } };

describe('the dialect of Claude', () => {
  const dialect = createAnthropicDialect();

  it('takes a request that is in order', () => {
    const messages = [hi, call, { role: 'user', content: [result, { type: 'text', text: 'and?' }] }];

    expect(dialect.check(asking({ messages, tools: [tool], stream: true }), known)).toBeUndefined();
    // Neighbours of one role are combined.
    expect(dialect.check(asking({ messages: [hi, hi] }), known)).toBeUndefined();
  });

  it.each([
    [
      'a header is missing',
      { headers: { 'anthropic-version': undefined } },
      'bad-request',
      'header is required',
    ],
    [
      'the version is an older one',
      { headers: { 'anthropic-version': '2023-06-01' } },
      'bad-request',
      '2023-06-01',
    ],
    ['there is no key', { headers: { authorization: undefined } }, 'wrong-key', 'required'],
    ['the key is another', { headers: { authorization: 'Bearer x' } }, 'wrong-key', undefined],
    ['the path is another', { path: '/v1/complete' }, 'unknown-path', undefined],
  ])('refuses a request where %s', (_what, given, kind, words) => {
    const { headers, ...others } = asking({});
    const request = {
      ...others,
      ...given,
      headers: { ...headers, ...('headers' in given ? given.headers : {}) },
    };
    const refusal = dialect.check(request, known);

    expect(refusal?.kind).toBe(kind);
    if (words) expect(refusal?.message).toContain(words);
  });

  it.each([
    [{ max_tokens: undefined }, 'max_tokens: Field required'],
    [{ temperature: 1 }, 'temperature: Extra inputs are not permitted'],
    [{ messages: [] }, 'at least one message is required'],
    [{ messages: [{ ...hi, name: 'x' }] }, 'messages.0.name: Extra inputs are not permitted'],
    [{ messages: [{ role: 'user', content: [] }] }, 'non-empty content'],
    [{ messages: [{ role: 'user', content: [{ type: 'text', text: ' ' }] }] }, 'non-whitespace'],
    [{ messages: [{ role: 'user', content: [{ type: 'audio' }] }] }, 'messages.0.content'],
    [{ messages: [{ role: 'assistant', content: 'x' }, hi] }, 'first message must use the "user" role'],
    [{ messages: [hi, { role: 'assistant', content: 'x' }] }, 'does not support assistant message prefill'],
    [{ messages: [hi, call, hi] }, '`tool_use` ids were found without `tool_result` blocks'],
    [
      { messages: [hi, call, { role: 'user', content: [{ type: 'text', text: 'x' }, result] }] },
      '`tool_use` ids were found without `tool_result` blocks',
    ],
    [{ messages: [{ role: 'user', content: [result] }] }, 'unexpected `tool_use_id`'],
    [{ messages: [hi, call, { role: 'user', content: [result, result] }] }, 'unexpected `tool_use_id`'],
    [
      {
        messages: [hi, call, { role: 'user', content: [result] }, call, { role: 'user', content: [result] }],
      },
      'ids must be unique',
    ],
    [
      {
        messages: [
          hi,
          { role: 'assistant', content: [{ type: 'tool_use', id: 'a:1', name: 'f', input: {} }] },
          hi,
        ],
      },
      "String should match pattern '^[a-zA-Z0-9_-]+$'",
    ],
    [
      {
        messages: [
          hi,
          { role: 'assistant', content: [{ type: 'thinking', thinking: 'x', signature: 'y' }] },
          hi,
        ],
      },
      'Invalid `signature` in `thinking` block',
    ],
    [{ thinking: { type: 'enabled', budget_tokens: 1_024 } }, 'is not supported for this model'],
    [{ thinking: { type: 'enabled', budget_tokens: 5 } }, 'thinking'],
    [{ tool_choice: { type: 'any' } }, 'while providing tools'],
    [{ tools: [tool], tool_choice: { type: 'tool', name: 'g' } }, "Tool 'g' not found"],
    [
      { tools: [tool], tool_choice: { type: 'any' }, thinking: { type: 'adaptive' } },
      'Thinking may not be enabled when tool_choice forces tool use.',
    ],
    [
      { tools: [{ ...tool, input_schema: { type: 'object', anyOf: [] } }] },
      'does not support oneOf, allOf, or anyOf at the top level',
    ],
    [{ tools: [tool, tool] }, 'must be unique'],
    [{ tools: [{ ...tool, name: 'a.b' }] }, 'tools.0.name'],
    [
      { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
      "'additionalProperties' must be explicitly set to false",
    ],
  ])('refuses %j in the words of the vendor', (given, words) => {
    const refusal = dialect.check(asking(given), known);

    expect(refusal).toEqual({ kind: 'bad-request', message: expect.stringContaining(words) });
  });

  it('takes thoughts back that it said, as it said them', () => {
    const signature = 'c2ln';
    dialect.whole({ parts: [{ thought: 'Hm.', signature }] }, known.model);
    const saying = (thinking: string, ...others: object[]) => {
      const content = [{ type: 'thinking', thinking, signature }, ...others];
      return asking({ messages: [hi, { role: 'assistant', content }, hi] });
    };
    const words = { type: 'text', text: 'Two.' };

    expect(dialect.check(saying('Hm.', words), known)).toBeUndefined();
    expect(dialect.check(saying('Hm!', words), known)).toMatchObject({ kind: 'bad-request' });
    expect(dialect.check(saying('Hm.'), known)?.message).toContain('final block');
  });
});

function asking(given: object): ProviderRequest {
  const body: unknown = JSON.parse(
    JSON.stringify({ model: known.model, max_tokens: 2_000, messages: [hi], ...given }),
  );
  return {
    method: 'POST',
    path: '/v1/messages',
    query: new URLSearchParams(),
    headers: {
      authorization: 'Bearer k',
      'anthropic-version': '2026-10-21',
      'content-type': 'application/json',
    },
    body,
  };
}
