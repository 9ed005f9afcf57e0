import { type FunctionCall, GenerateContentResponse } from '@google/genai';
import { collect } from '@skein/testing';
import { ToolNames } from '../request/tool-names';
import { once } from '../provider/provider-llm';
import { withMeantNames } from './with-meant-names';

it.each([
  ['an object', { q: 'a' }, { args: { q: 'a' } }],
  ['the JSON of one', '{"q":"a"}', { args: { q: 'a' } }],
  ['none', null, { args: {} }],
  ['a list', ['a'], { args: {}, malformedArgs: '["a"]' }],
  ['a number', 7, { args: {}, malformedArgs: '7' }],
  ['a truth value', false, { args: {}, malformedArgs: 'false' }],
  ['a text', 'q = a', { args: {}, malformedArgs: 'q = a' }],
])('reads the arguments of a call, be they %s', async (_what, args, expected) => {
  // What a server sends need not be what the SDK says.
  const functionCall = { name: 'f', args } as unknown as FunctionCall;
  const response = Object.assign(new GenerateContentResponse(), {
    candidates: [{ content: { parts: [{ functionCall }] } }],
  });
  const [read] = await collect(withMeantNames(once(response), new ToolNames(['f'], 64)));

  expect(read?.candidates?.[0]?.content?.parts?.[0]?.functionCall).toEqual({ name: 'f', ...expected });
});
