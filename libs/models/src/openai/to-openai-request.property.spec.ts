import { type Content, type Part } from '@skein/contracts';
import { aRequest, openaiCompatibleDialect, openaiDialect } from '@skein/testing';
import fc from 'fast-check';
import { toOpenAIRequest } from './to-openai-request';

const anId = fc.constantFrom('a', 'b', '', 'adk-01234567-89ab-cdef-0123-456789abcdef', 'x'.repeat(60));
const aName = fc.constantFrom('f', 'g', 'files.read', '', 'no such tool!');
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const aPart: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ text: fc.constantFrom('One.', '', ' ') }),
  fc.record({
    text: fc.constantFrom('Hm.', ''),
    thought: fc.constant(true),
    thoughtSignature: maybe(fc.constant('c2ln')),
  }),
  fc.record({
    functionCall: fc.record({ id: maybe(anId), name: aName, args: maybe(fc.constant({ q: 1 })) }),
    thoughtSignature: maybe(fc.constant('c2ln')),
  }),
  fc.record({
    functionResponse: fc.record({
      id: maybe(anId),
      name: aName,
      response: maybe(fc.constant({ result: 1 })),
    }),
  }),
  fc.constant({ inlineData: { mimeType: 'image/png', data: 'QUJD' } }),
  fc.constant({ executableCode: { code: 'print(1)' } }),
  fc.constant({ codeExecutionResult: { output: '1' } }),
);
const someContents: fc.Arbitrary<Content[]> = fc.array(
  fc.record({ role: fc.constantFrom('user', 'model', undefined), parts: fc.array(aPart, { maxLength: 4 }) }),
  { maxLength: 8 },
);
const tools = [
  {
    functionDeclarations: [
      { name: 'files.read', description: 'Reads.' },
      { name: 'f', description: '' },
    ],
  },
];

describe('toOpenAIRequest', () => {
  it.each([
    ['OpenAI', openaiDialect, undefined],
    ["a server of one's own", openaiCompatibleDialect, 'http://localhost:8000/v1'],
  ])('makes a request that %s takes, of any history', (_who, dialect, baseUrl) => {
    fc.assert(
      fc.property(someContents, fc.boolean(), (contents, stream) => {
        const request = aRequest({ contents, config: { tools } });
        const { body } = toOpenAIRequest(request, { model: 'gpt-4o', baseUrl, stream });
        const sent = {
          method: 'POST',
          path: '/v1/chat/completions',
          query: new URLSearchParams(),
          headers: { authorization: 'Bearer k', 'content-type': 'application/json' },
          body: JSON.parse(JSON.stringify(body)) as unknown,
        };

        expect(dialect.check(sent, { apiKey: 'k', model: 'gpt-4o' })).toBeUndefined();
        // Nothing that was said is lost.
        const told = contents
          .flatMap(({ parts = [] }) => parts)
          .filter(({ text, thought }) => text === 'One.' && !thought);
        expect(JSON.stringify(body.messages).split('One.')).toHaveLength(told.length + 1);
      }),
      { numRuns: 300 },
    );
  });
});
