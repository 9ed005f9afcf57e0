import { calls, text } from '../answers';
import { type CompatCase } from '../case';

/** Tools: what they are given, and what they answer. */
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
    name: 'given-call-ids',
    says: 'has a model that gives its calls ids and signs its thoughts',
    agent: 'thinker',
    answers: {
      'scripted-thinker': [
        {
          content: {
            role: 'model',
            parts: [
              { functionCall: { id: 'toolu_1', name: 'look', args: {} }, thoughtSignature: 'c2lnbmVk' },
            ],
          },
        },
        text('Nothing.'),
        text('Still nothing.'),
      ],
    },
    steps: [{ say: 'Think.' }, { say: 'Again.' }],
  },
  {
    name: 'results',
    says: 'calls tools that give all kinds of things',
    agent: 'results',
    answers: {
      'scripted-giver': [
        calls(
          ['nothing', {}],
          ['null', {}],
          ['a_number', {}],
          ['a_list', {}],
          ['an_empty_object', {}],
          ['repeat', { word: 'ho' }],
          ['plain', { at: 'here' }],
        ),
        text('So much.'),
      ],
    },
    steps: [{ say: 'Give.' }],
  },
  {
    name: 'defaults',
    says: 'leaves arguments out that have defaults',
    agent: 'results',
    answers: {
      'scripted-giver': [calls(['repeat', { word: 'ho' }]), calls(['plain', { at: 'here' }]), text('Ho.')],
    },
    steps: [{ say: 'Repeat.' }],
  },
  {
    name: 'skip-summarization',
    says: 'shows what a tool gave as it is',
    agent: 'last-word',
    answers: { 'scripted-table': [calls(['raw_data', { of: 'sales' }]), text('Anything else?')] },
    steps: [{ say: 'Sales.' }, { say: 'Thanks.' }],
  },
  {
    name: 'contexts',
    says: 'asks its context for all that is there',
    agent: 'contexts',
    state: { mood: 'calm' },
    answers: { 'scripted-inspector': [calls(['inspect', {}]), text('All is well.')] },
    steps: [{ say: 'Inspect.' }],
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
  {
    name: 'examples',
    says: 'is shown examples of questions and answers, calls among them',
    agent: 'examples',
    answers: { 'scripted-guide': [text('Yes, rain.')] },
    steps: [{ say: 'Rain in Bergen?' }],
  },
  {
    name: 'examples-from-a-provider',
    says: 'is shown the examples that fit what its user says',
    agent: 'fitting-examples',
    answers: { 'scripted-guide': [text('Good morning.'), text('Good night.')] },
    steps: [{ say: 'Morning' }, { say: 'Evening' }],
  },
];
