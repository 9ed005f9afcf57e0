/**
 * Answers of the Gemini API, chunk by chunk, in the shapes of its public reference (https://ai.google.dev/api/generate-content
 * and the guides it names below); texts are shortened.
 */

const usageMetadata = {
  promptTokenCount: 12,
  candidatesTokenCount: 34,
  totalTokenCount: 146,
  thoughtsTokenCount: 100,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: 12 }],
};
const about = { usageMetadata, modelVersion: 'gemini-2.5-flash', responseId: 'mAitaLmkHPPlz7IPvtfUqQ4' };

/** https://ai.google.dev/gemini-api/docs/thought-signatures: the first of several calls alone is signed. */
export const signedCalls = [
  {
    candidates: [{ content: { parts: [{ text: 'Both cities. ', thought: true }], role: 'model' }, index: 0 }],
    ...about,
  },
  {
    candidates: [
      {
        content: {
          parts: [
            {
              functionCall: { name: 'weather', args: { city: 'Paris' } },
              thoughtSignature: 'CpcHAdHtim9+q4rstcbvQC0ic4x1/vqQ',
            },
            { functionCall: { name: 'weather', args: { city: 'London' } } },
          ],
          role: 'model',
        },
        index: 0,
      },
    ],
    ...about,
  },
  {
    candidates: [{ content: { parts: [{ text: '' }], role: 'model' }, finishReason: 'STOP', index: 0 }],
    ...about,
  },
];

/** https://ai.google.dev/gemini-api/docs/code-execution */
export const codeExecution = [
  {
    candidates: [
      {
        content: {
          parts: [
            { text: 'I will add them.' },
            { executableCode: { language: 'PYTHON', code: 'print(1 + 1)\n' } },
            { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '2\n' } },
            { text: 'It is 2.' },
          ],
          role: 'model',
        },
        finishReason: 'STOP',
        index: 0,
      },
    ],
    ...about,
  },
];

export const groundedOn = {
  groundingMetadata: {
    webSearchQueries: ['UEFA Euro 2024 winner'],
    searchEntryPoint: { renderedContent: '<div>…</div>' },
    groundingChunks: [{ web: { uri: 'https://example.org/euro', title: 'example.org' } }],
    groundingSupports: [
      {
        segment: { startIndex: 0, endIndex: 28, text: 'Spain won Euro 2024, 2 to 1.' },
        groundingChunkIndices: [0],
      },
    ],
  },
  urlContextMetadata: {
    urlMetadata: [
      {
        retrievedUrl: 'https://example.org/euro',
        urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS',
      },
    ],
  },
};

/** https://ai.google.dev/gemini-api/docs/google-search and https://ai.google.dev/gemini-api/docs/url-context */
export const grounded = [
  {
    candidates: [{ content: { parts: [{ text: 'Spain won Euro 2024' }], role: 'model' }, index: 0 }],
    ...about,
  },
  {
    candidates: [
      {
        content: { parts: [{ text: ', 2 to 1.' }], role: 'model' },
        finishReason: 'STOP',
        index: 0,
        ...groundedOn,
        citationMetadata: { citationSources: [{ startIndex: 0, endIndex: 9, uri: 'https://example.org' }] },
      },
    ],
    ...about,
  },
];

/** https://ai.google.dev/gemini-api/docs/safety-settings: a prompt that is blocked gets no candidate. */
export const blockedPrompt = [
  {
    promptFeedback: {
      blockReason: 'PROHIBITED_CONTENT',
      safetyRatings: [{ category: 'HARM_CATEGORY_DANGEROUS_CONTENT', probability: 'HIGH', blocked: true }],
    },
    usageMetadata: { promptTokenCount: 12, totalTokenCount: 12 },
    modelVersion: 'gemini-2.5-flash',
  },
];

/** The finish reasons of https://ai.google.dev/api/generate-content#FinishReason that come with a sentence. */
export const malformedCall = [
  {
    candidates: [
      {
        content: {},
        finishReason: 'MALFORMED_FUNCTION_CALL',
        finishMessage: 'Malformed function call: print(default_api.weather(',
        index: 0,
      },
    ],
    ...about,
  },
];

/** https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling: arguments as they are written. */
export const streamedArguments = [
  {
    candidates: [
      {
        content: { role: 'model', parts: [{ functionCall: { name: 'book', id: 'c1', willContinue: true } }] },
      },
    ],
  },
  {
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            {
              functionCall: {
                partialArgs: [{ jsonPath: '$.city', stringValue: 'New ', willContinue: true }],
                willContinue: true,
              },
            },
          ],
        },
      },
    ],
  },
  {
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            {
              functionCall: {
                partialArgs: [
                  { jsonPath: '$.city', stringValue: 'York' },
                  { jsonPath: '$.nights', numberValue: 2 },
                ],
                willContinue: true,
              },
            },
          ],
        },
      },
    ],
  },
  {
    candidates: [{ content: { role: 'model', parts: [{ functionCall: {} }] }, finishReason: 'STOP' }],
    usageMetadata,
    modelVersion: 'gemini-2.5-flash',
  },
];
