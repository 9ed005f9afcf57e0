import { calls, text } from '../answers';
import { type CompatCase } from '../case';

/** What an agent is told, what it sees, and what is kept of its answer. */
export const instructionCases: readonly CompatCase[] = [
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
    name: 'artifact-in-instruction',
    says: 'has artifacts in its instruction',
    agent: 'artifact-in-instruction',
    answers: {
      'scripted-judge': [calls(['write_rules', { rules: 'Be just.' }]), text('Written.'), text('Be just.')],
    },
    steps: [{ say: 'Write: be just.' }, { say: 'The rules?' }],
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
    name: 'output-key-and-thoughts',
    says: 'thinks aloud before its answer goes into state',
    agent: 'thinker',
    answers: {
      'scripted-thinker': [
        {
          content: {
            role: 'model',
            parts: [{ text: 'Hm.', thought: true }, { text: 'So ' }, { text: 'be it.' }],
          },
        },
      ],
    },
    steps: [{ say: 'Think.' }],
  },
  {
    name: 'output-key-and-calls',
    says: 'says something beside a call, and answers then',
    agent: 'thinker',
    answers: {
      'scripted-thinker': [
        {
          content: {
            role: 'model',
            parts: [{ text: 'I look. ' }, { functionCall: { name: 'look', args: {} } }],
          },
        },
        text('Nothing.'),
      ],
    },
    steps: [{ say: 'Think.' }],
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
];
