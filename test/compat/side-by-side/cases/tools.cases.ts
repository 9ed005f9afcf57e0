import { calls, text } from '../answers';
import { type CompatCase } from '../case';

const operating = [calls(['erase_disk', { disk: 'sda' }]), text('It is done.')];

/** Tools: what they are given, what they answer, and who has to agree. */
export const toolCases: readonly CompatCase[] = [
  {
    name: 'tool-call',
    says: 'calls a tool and answers by its result',
    agent: 'weather',
    answers: { 'scripted-guide': [calls(['get_weather', { city: 'Oslo' }]), text('Snow.')] },
    steps: [{ say: 'Weather in Oslo?' }],
  },
  {
    name: 'calls-in-turns',
    says: 'calls a tool, and another by what it said, and sees both in the next turn',
    agent: 'weather',
    answers: {
      'scripted-guide': [
        calls(['get_time', { city: 'Oslo' }]),
        calls(['get_weather', { city: 'Oslo', days: 3 }]),
        text('Noon, snow.'),
        text('As I said.'),
      ],
    },
    steps: [{ say: 'Oslo?' }, { say: 'What?' }],
  },
  {
    name: 'parallel-calls',
    says: 'calls two tools in one answer',
    agent: 'weather',
    answers: {
      'scripted-guide': [
        calls(['get_weather', { city: 'Rome', days: 2 }], ['get_time', { city: 'Rome' }]),
        text('Sun, noon.'),
      ],
    },
    steps: [{ say: 'Rome?' }],
  },
  {
    name: 'tool-error',
    says: 'calls a tool that throws',
    agent: 'weather',
    answers: { 'scripted-guide': [calls(['open_gate', { gate: 'north' }]), text('It is stuck.')] },
    steps: [{ say: 'Open the north gate.' }],
  },
  {
    name: 'missing-argument',
    says: 'forgets an argument of a tool',
    agent: 'weather',
    answers: { 'scripted-guide': [calls(['get_weather', {}]), text('Where?')] },
    steps: [{ say: 'Weather?' }],
  },
  {
    name: 'unknown-tool',
    says: 'calls a tool that it does not have',
    agent: 'weather',
    answers: { 'scripted-guide': [calls(['fly', {}]), text('I cannot.')] },
    steps: [{ say: 'Fly!' }],
  },
  {
    name: 'toolset',
    says: 'has its tools from a toolset',
    agent: 'toolset',
    answers: { 'scripted-scout': [calls(['listen', { at: 'doors' }]), text('Steps.')] },
    steps: [{ say: 'Listen.' }],
  },
  {
    name: 'long-running',
    says: 'begins something that lasts, and goes on when its result comes',
    agent: 'ticket',
    answers: {
      'scripted-accountant': [
        calls(['ask_for_approval', { amount: 12 }]),
        text('I asked.'),
        text('It is approved.'),
      ],
    },
    steps: [
      { say: 'Twelve for pens.' },
      { answer: { call: 'ask_for_approval', response: { status: 'approved' } } },
    ],
  },
  {
    name: 'confirmation-approved',
    says: 'asks before it runs a tool, and may',
    agent: 'confirmation',
    answers: { 'scripted-operator': operating },
    steps: [
      { say: 'Erase sda.' },
      { answer: { call: 'adk_request_confirmation', response: { confirmed: true } } },
    ],
  },
  {
    name: 'confirmation-rejected',
    says: 'asks before it runs a tool, and may not',
    agent: 'confirmation',
    answers: { 'scripted-operator': [...operating.slice(0, 1), text('As you wish.')] },
    steps: [
      { say: 'Erase sda.' },
      { answer: { call: 'adk_request_confirmation', response: { confirmed: false } } },
    ],
  },
  {
    name: 'artifacts',
    says: 'keeps a text as an artifact, and loads it',
    agent: 'artifacts',
    answers: {
      'scripted-archivist': [
        calls(['save_text', { name: 'poem.txt', words: 'Roses.' }]),
        text('Kept.'),
        calls(['load_artifacts', { artifact_names: ['poem.txt'] }]),
        text('Roses, it says.'),
      ],
    },
    steps: [{ say: 'Keep this.' }, { say: 'What did I give you?' }],
  },
  {
    name: 'load-memory',
    says: 'searches its memory',
    agent: 'memory',
    answers: {
      'scripted-friend': [text('Noted.'), calls(['load_memory', { query: 'cat' }]), text('Tom.')],
    },
    steps: [{ say: 'My cat is Tom.' }, { addToMemory: true }, { say: 'What is my cat called?' }],
  },
  {
    name: 'preload-memory',
    says: 'is told what it may remember',
    agent: 'preload-memory',
    answers: { 'scripted-friend': [text('Noted.'), text('Tom.')] },
    steps: [{ say: 'My cat is Tom.' }, { addToMemory: true }, { say: 'What is my cat called?' }],
  },
];
