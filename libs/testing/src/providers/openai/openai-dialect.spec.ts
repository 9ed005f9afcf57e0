import { type ProviderRequest } from '../provider-dialect';
import { openaiCompatibleDialect, openaiDialect } from './openai-dialect';

const known = { apiKey: 'k', model: 'gpt-4o' };
const hi = { role: 'user', content: 'hi' };
const call = (id: string, text = '{}') => ({
  id,
  type: 'function',
  function: { name: 'f', arguments: text },
});
const asked = { role: 'assistant', tool_calls: [call('a')] };
const answer = { role: 'tool', tool_call_id: 'a', content: '1' };
const tool = { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } };

function asking(body: object, given: Partial<ProviderRequest> = {}): ProviderRequest {
  return {
    method: 'POST',
    path: '/v1/chat/completions',
    query: new URLSearchParams(),
    headers: { authorization: 'Bearer k', 'content-type': 'application/json' },
    body: { model: 'gpt-4o', messages: [hi], ...body },
    ...given,
  };
}

const strict = (schema: object) => ({
  response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } },
});

describe('the dialect of OpenAI', () => {
  it('takes a request that is in order', () => {
    const messages = [hi, asked, answer, { role: 'user', content: [{ type: 'text', text: 'and?' }] }];
    const body = {
      messages,
      tools: [tool],
      tool_choice: 'auto',
      stream: true,
      stream_options: { include_usage: true },
    };

    expect(openaiDialect.check(asking(body), known)).toBeUndefined();
    expect(openaiDialect.isStreamed(asking(body))).toBe(true);
  });

  it.each([
    ['there is no key', { headers: {} }, 'wrong-key'],
    ['the key is another', { headers: { authorization: 'Bearer x' } }, 'wrong-key'],
    ['the path is another', { path: '/v1/completions' }, 'unknown-path'],
    ['the model is another', { body: { model: 'gpt-5', messages: [hi] } }, 'unknown-model'],
  ])('refuses a request where %s', (_what, given, kind) => {
    expect(openaiDialect.check(asking({}, given), known)?.kind).toBe(kind);
  });

  it.each([
    ['a field is missing', { messages: undefined }, "Missing required parameter: 'messages'"],
    ['a field is unknown', { safety_settings: [] }, "Unknown parameter: 'safety_settings'"],
    ['nothing was said', { messages: [] }, 'too short'],
    ['a setting is out of bounds', { temperature: 3 }, "'temperature'"],
    ['a setting is of other servers', { top_k: 3 }, "Unknown parameter: 'top_k'"],
    [
      'thoughts come back',
      { messages: [hi, { role: 'assistant', content: 'a', reasoning_content: 'b' }] },
      'reasoning_content',
    ],
    ['a call is not answered', { messages: [hi, asked, hi] }, 'did not have response messages: a'],
    ['the last call is not answered', { messages: [hi, asked] }, 'did not have response messages: a'],
    ['an answer has no call', { messages: [hi, answer] }, 'must be a response to a preceding message'],
    ['an answer comes twice', { messages: [hi, asked, answer, answer] }, 'must be a response'],
    [
      'two calls have one id',
      { messages: [hi, { ...asked, tool_calls: [call('a'), call('a')] }, answer, answer] },
      'Duplicate value',
    ],
    [
      'an id is too long',
      {
        messages: [
          hi,
          { ...asked, tool_calls: [call('x'.repeat(41))] },
          { ...answer, tool_call_id: 'x'.repeat(41) },
        ],
      },
      'maximum length 40',
    ],
    [
      'a name has a dot',
      { tools: [{ type: 'function', function: { name: 'a.b' } }] },
      'does not match pattern',
    ],
    ['a choice is made among no tools', { tool_choice: 'auto' }, "only allowed when 'tools'"],
    ['options of streams come without one', { stream_options: {} }, "only allowed when 'stream'"],
    ['the limit is told twice', { max_tokens: 1, max_completion_tokens: 1 }, 'at the same time'],
    ['nobody asked for JSON in words', { response_format: { type: 'json_object' } }, "the word 'json'"],
    ['a strict schema is open', strict({ type: 'object', properties: {} }), 'additionalProperties'],
    [
      'a strict schema leaves a field to choice',
      strict({ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false }),
      "Missing 'a'",
    ],
    [
      'an image is of a type nobody knows',
      {
        messages: [
          { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/x;base64,QUJD' } }] },
        ],
      },
      'image/x',
    ],
  ])('refuses a body where %s', (_what, body, words) => {
    expect(openaiDialect.check(asking(body), known)).toEqual({
      kind: 'bad-request',
      message: expect.stringContaining(words),
    });
  });
});

describe("the dialect of servers of one's own", () => {
  it('takes what they add, and calls that their templates can read alone', () => {
    const messages = [hi, { ...asked, reasoning_content: 'Hm.' }, answer];
    const broken = [hi, { ...asked, tool_calls: [call('a', '{"q')] }, answer];

    expect(openaiCompatibleDialect.check(asking({ messages, top_k: 3 }), known)).toBeUndefined();
    expect(openaiCompatibleDialect.check(asking({ messages: broken }), known)?.message).toContain(
      'no JSON object',
    );
  });

  it('takes no key where it has none', () => {
    const headers = { 'content-type': 'application/json' };

    expect(openaiCompatibleDialect.check(asking({}, { headers }), { ...known, apiKey: '' })).toBeUndefined();
    expect(openaiCompatibleDialect.check(asking({}), { ...known, apiKey: '' })?.kind).toBe('wrong-key');
  });
});
