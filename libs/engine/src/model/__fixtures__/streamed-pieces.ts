import { type LlmResponse } from '../llm-response';

/** What a provider says of an answer may come with any piece; the last word counts. */
export const textInPieces: LlmResponse[] = [
  {
    content: { role: 'model', parts: [{ text: 'One' }] },
    usageMetadata: { totalTokenCount: 1 },
    modelVersion: 'v1',
  },
  { content: { role: 'model', parts: [{ text: ' two' }] }, groundingMetadata: { webSearchQueries: ['q'] } },
  { citationMetadata: { citations: [{ uri: 'u' }] } },
  { content: { role: 'model', parts: [{ text: '.' }] }, finishReason: 'STOP' },
  {
    content: { role: 'model', parts: [{ text: '' }] },
    usageMetadata: { promptTokenCount: 4, totalTokenCount: 7 },
  },
];

export const thoughtsAndCalls: LlmResponse[] = [
  { text: 'Let me ', thought: true },
  { text: 'see.', thought: true, thoughtSignature: 'c2ln' },
  { text: 'On' },
  { text: 'e.' },
  { functionCall: { id: 'c', name: 'f', args: { a: 1 } }, thoughtSignature: 'Y2FsbA==' },
  { text: 'Two.' },
].map((part) => ({ content: { role: 'model', parts: [part] } }));

/** Arguments as they stream: the name in the first piece alone, an empty call as the end. */
export const callInPieces = [
  { text: 'Wait.' },
  { thoughtSignature: 'c2ln', functionCall: { id: 'c', name: 'book', willContinue: true } },
  ...[
    { jsonPath: '$.city', stringValue: 'New ', willContinue: true },
    { jsonPath: '$.city', stringValue: 'York' },
    { jsonPath: '$.nights', numberValue: 2 },
    { jsonPath: '$.quiet', boolValue: true },
    { jsonPath: '$.note', nullValue: 'NULL_VALUE' },
    { jsonPath: '$.guest.names[0]', stringValue: 'Ada' },
    { jsonPath: '$.guest.names[1]', stringValue: 'Bob' },
    { jsonPath: "$.guest['home town']", stringValue: 'X' },
    // A place without a value says nothing.
    { jsonPath: '$.city' },
  ].map((arg) => ({ functionCall: { partialArgs: [arg], willContinue: true } })),
  { functionCall: {} },
  { functionCall: { name: 'ping', args: {} } },
  { text: '' },
].map((part) => ({ content: { role: 'model', parts: [part] } })) as LlmResponse[];
