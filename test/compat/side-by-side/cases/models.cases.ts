import { FinishReason } from '@google/genai';
import { calls, piece, text } from '../answers';
import { type CompatCase } from '../case';

/** One agent, and what its model says or does not say. */
export const modelCases: readonly CompatCase[] = [
  {
    name: 'plain-answer',
    says: 'answers, and sees what was said before in the next turn',
    agent: 'plain',
    answers: { 'scripted-greeter': [text('Hello, Ada.'), text('Again hello.')] },
    steps: [{ say: 'I am Ada.' }, { say: 'And now?' }],
  },
  {
    name: 'usage-and-finish',
    says: 'tells of tokens, a finish reason and thoughts',
    agent: 'plain',
    answers: {
      'scripted-greeter': [
        {
          content: { role: 'model', parts: [{ text: 'Who is it?', thought: true }, { text: 'Hello.' }] },
          usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 2, totalTokenCount: 9 },
          finishReason: FinishReason.STOP,
          modelVersion: 'greeter-2',
        },
        text('Hello, hello.'),
      ],
    },
    steps: [{ say: 'Hi.' }, { say: 'Hi!' }],
  },
  {
    name: 'files-and-words',
    says: 'is given a picture beside words',
    agent: 'plain',
    answers: { 'scripted-greeter': [text('A fine picture.'), text('Yes.')] },
    steps: [
      {
        say: {
          role: 'user',
          parts: [
            { text: 'Look.' },
            { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
            { fileData: { mimeType: 'text/plain', fileUri: 'gs://bucket/file.txt' } },
          ],
        },
      },
      { say: 'Sure?' },
    ],
  },
  {
    name: 'streaming',
    says: 'streams its words',
    agent: 'plain',
    answers: { 'scripted-greeter': [[piece('Hel'), piece('lo.'), text('Hello.')]] },
    steps: [{ say: 'Hi.', streaming: true }],
  },
  {
    name: 'streaming-thoughts',
    says: 'streams thoughts, words and a count of tokens',
    agent: 'plain',
    answers: {
      'scripted-greeter': [
        [
          { content: { role: 'model', parts: [{ text: 'Who?', thought: true }] }, partial: true },
          piece('Hi.'),
          {
            content: { role: 'model', parts: [{ text: 'Who?', thought: true }, { text: 'Hi.' }] },
            usageMetadata: { totalTokenCount: 5 },
          },
        ],
        text('Hi again.'),
      ],
    },
    steps: [
      { say: 'Hi.', streaming: true },
      { say: 'Hi!', streaming: true },
    ],
  },
  {
    name: 'streaming-tool',
    says: 'streams, calls a tool and streams again',
    agent: 'weather',
    answers: {
      'scripted-guide': [
        [piece('Let me see.'), calls(['get_weather', { city: 'Oslo' }])],
        [piece('Sn'), piece('ow.'), text('Snow.')],
      ],
    },
    steps: [{ say: 'Oslo?', streaming: true }],
  },
  {
    name: 'silent-model',
    says: 'has a model that says nothing',
    agent: 'plain',
    answers: { 'scripted-greeter': [{ content: { role: 'model', parts: [] } }, text('Sorry.')] },
    steps: [{ say: 'Hi.' }, { say: 'Hello?' }],
  },
  {
    name: 'model-refuses',
    says: 'has a model that answers with an error code',
    agent: 'plain',
    answers: { 'scripted-greeter': [{ errorCode: 'SAFETY', errorMessage: 'No.' }, text('Better.')] },
    steps: [{ say: 'Something bad.' }, { say: 'Something good.' }],
  },
  {
    name: 'model-fails',
    says: 'has a model that throws',
    agent: 'plain',
    answers: { 'scripted-greeter': [{ throws: 'The model is away.' }, text('Back.')] },
    steps: [{ say: 'Hi.' }, { say: 'And now?' }],
  },
  {
    name: 'cut-answer',
    says: 'has a model that fails in the middle of a stream',
    agent: 'plain',
    answers: { 'scripted-greeter': [{ throws: 'Away.', after: [piece('Hel')] }, text('Hello.')] },
    steps: [{ say: 'Hi.', streaming: true }, { say: 'Hi?' }],
  },
  {
    name: 'max-llm-calls',
    says: 'may ask its model only twice',
    agent: 'weather',
    answers: {
      'scripted-guide': [
        calls(['get_time', { city: 'Oslo' }]),
        calls(['get_time', { city: 'Rome' }]),
        text('Never said.'),
      ],
    },
    steps: [{ say: 'Time?', maxLlmCalls: 2 }],
  },
];
