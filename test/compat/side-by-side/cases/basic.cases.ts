import { FinishReason } from '@google/genai';
import { calls, piece, text } from '../answers';
import { type CompatCase } from '../case';

/** One agent, its model, its instructions and its state. */
export const basicCases: readonly CompatCase[] = [
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
    name: 'streaming',
    says: 'streams its words',
    agent: 'plain',
    answers: { 'scripted-greeter': [[piece('Hel'), piece('lo.'), text('Hello.')]] },
    steps: [{ say: 'Hi.', streaming: true }],
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
    name: 'state',
    says: 'keeps state of each scope, puts it into its instruction, and its answer into state',
    agent: 'state',
    state: { mood: 'fine', 'user:name': 'nobody' },
    answers: {
      'scripted-host': [calls(['remember_name', { name: 'Ada' }]), text('Welcome.'), text('Still here?')],
    },
    steps: [{ say: 'I am Ada.' }, { say: 'Hm.', stateDelta: { mood: 'sad' } }],
  },
  {
    name: 'missing-state',
    says: 'names state in its instruction that is not there',
    agent: 'state',
    answers: { 'scripted-host': [text('Welcome.')] },
    steps: [{ say: 'Hi.' }],
  },
  {
    name: 'instructions',
    says: 'has a global instruction, templates and settings, and a sub-agent with a provider',
    agent: 'instructions',
    state: { mood: 'blue' },
    answers: {
      'scripted-first': [calls(['transfer_to_agent', { agentName: 'second' }])],
      'scripted-second': [text('Here.')],
    },
    steps: [{ say: 'Who is there?' }],
  },
  {
    name: 'output-schema',
    says: 'answers by a schema',
    agent: 'output-schema',
    answers: { 'scripted-geographer': [text('{"capital":"Oslo","people":700000}')] },
    steps: [{ say: 'Norway?' }],
  },
  {
    name: 'output-schema-and-tools',
    says: 'has tools and answers by a schema',
    agent: 'output-schema-and-tools',
    answers: {
      'scripted-geographer': [
        calls(['count_people', { city: 'Oslo' }]),
        calls(['set_model_response', { capital: 'Oslo', people: 4000 }]),
      ],
    },
    steps: [{ say: 'Norway?' }],
  },
  {
    name: 'include-contents-none',
    says: 'sees the current turn alone',
    agent: 'include-contents-none',
    answers: {
      'scripted-forgetful': [text('Hello.'), calls(['roll', { sides: 6 }]), text('Six.')],
    },
    steps: [{ say: 'Hi.' }, { say: 'Roll.' }],
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
