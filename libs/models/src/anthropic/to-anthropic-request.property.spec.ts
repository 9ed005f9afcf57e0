import { type Content, type Part } from '@skein/contracts';
import { aRequest, createAnthropicDialect } from '@skein/testing';
import fc from 'fast-check';
import { cameFrom } from '../request/part-origin';
import { toAnthropicRequest } from './to-anthropic-request';

const anId = fc.constantFrom('a', 'b', '', 'call_0', 'adk-01234567-89ab', 'c:2', 'x'.repeat(200));
const aName = fc.constantFrom('f', 'g', 'files.read', '', ' ', 'выбор', 'no such tool!');
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const aPart: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ text: fc.constantFrom('One.', '', ' ', '\n\t') }),
  fc.record({
    text: fc.constantFrom('Hm.', ''),
    thought: fc.constant(true),
    thoughtSignature: maybe(fc.constant('')),
  }),
  fc.constant({
    text: 'Hm.',
    thought: true,
    thoughtSignature: 'c2ln',
    ...cameFrom({ provider: 'anthropic' }),
  }),
  fc.constant({
    thought: true,
    thoughtSignature: 'ZGF0YQ==',
    ...cameFrom({ provider: 'anthropic', isRedacted: true }),
  }),
  fc.record({
    functionCall: fc.record({ id: maybe(anId), name: aName, args: maybe(fc.constant({ q: 1 })) }),
    thoughtSignature: maybe(fc.constant('b3RoZXI=')),
  }),
  fc.record({
    functionResponse: fc.record({
      id: maybe(anId),
      name: aName,
      response: maybe(fc.constantFrom({ result: 1 }, { error: 'No.' }, {})),
    }),
  }),
  fc.constantFrom<Part>(
    { inlineData: { mimeType: 'image/png', data: 'QUJD' } },
    { fileData: { fileUri: 'https://example.com/a.pdf', mimeType: 'application/pdf' } },
    { executableCode: { code: 'print(1)' } },
    { executableCode: {} },
    { codeExecutionResult: { output: '1' } },
    { codeExecutionResult: {} },
    {},
  ),
  fc.constantFrom<Part>(
    {
      functionResponse: {
        id: 'a',
        name: 'f',
        parts: [{ inlineData: { mimeType: 'audio/wav', data: 'QUJD' } }],
      },
    },
    {
      functionResponse: {
        id: 'a',
        name: 'f',
        parts: [{ text: '' }, { inlineData: { mimeType: 'image/png', data: '' } }],
      },
    },
  ),
);
const someContents: fc.Arbitrary<Content[]> = fc.array(
  fc.record({
    role: fc.constantFrom('user', 'model', 'function', undefined),
    parts: maybe(fc.array(aPart, { maxLength: 4 })),
  }),
  { maxLength: 8 },
);
const tools = [
  {
    functionDeclarations: [
      { name: 'files.read', description: 'Reads.' },
      { name: 'f', description: '', parametersJsonSchema: { anyOf: [{ required: ['q'] }] } },
    ],
  },
];
const dialect = createAnthropicDialect();
// So that it knows the thought that histories hold.
dialect.whole({ parts: [{ thought: 'Hm.', signature: 'c2ln' }] }, 'claude-opus-5-5');

describe('toAnthropicRequest', () => {
  it.each(['claude-opus-5-5', 'claude-sonnet-4-5'])(
    'makes a request that %s takes, of any history',
    (model) => {
      fc.assert(
        fc.property(someContents, fc.boolean(), (contents, thinks) => {
          const config = { tools, ...(thinks ? { thinkingConfig: { thinkingBudget: 2_048 } } : {}) };
          const { parameters } = toAnthropicRequest(aRequest({ contents, config }), model, {
            maxTokens: 8_192,
          });
          const sent = {
            method: 'POST',
            path: '/v1/messages',
            query: new URLSearchParams(),
            headers: {
              'x-api-key': 'k',
              'anthropic-version': '2026-10-21',
              'content-type': 'application/json',
            },
            body: JSON.parse(JSON.stringify(parameters)) as unknown,
          };

          expect(dialect.check(sent, { apiKey: 'k', model })).toBeUndefined();
          // Nothing that was said is lost.
          const told = contents.flatMap(({ parts = [] }) => parts).filter(({ text }) => text === 'One.');
          expect(JSON.stringify(parameters.messages).split('One.')).toHaveLength(told.length + 1);
        }),
        { numRuns: 500 },
      );
    },
  );
});
