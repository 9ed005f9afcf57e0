import { calls, text } from '../answers';
import { type CompatCase } from '../case';

/** Callbacks and plugins. */
export const hookCases: readonly CompatCase[] = [
  {
    name: 'callbacks',
    says: 'has callbacks around itself, its model and its tools',
    agent: 'callbacks',
    answers: {
      'scripted-calculator': [calls(['double', { value: 4 }], ['half', { value: 4 }]), text('Ten.')],
    },
    steps: [{ say: 'Double and half of 4?' }],
  },
  {
    name: 'callbacks-that-answer',
    says: 'has callbacks that answer in the place of agent and model',
    agent: 'callbacks-that-answer',
    answers: {},
    steps: [{ say: 'Anyone?' }],
  },
  {
    name: 'lists-of-callbacks',
    says: 'has lists of callbacks, of which the first that answers counts',
    agent: 'lists-of-callbacks',
    answers: { 'scripted-many': [calls(['greet', { name: 'Ada' }]), text('Hello.')] },
    steps: [{ say: 'Greet.' }],
  },
  {
    name: 'plugin-changes',
    says: 'has a plugin that changes messages and answers for failed tools',
    agent: 'plugins',
    answers: { 'scripted-paper': [calls(['publish', { words: 'News' }]), text('Not today.')] },
    steps: [{ say: 'Publish.' }],
  },
  {
    name: 'plugin-on-model-error',
    says: 'has a plugin that answers for a model that failed',
    agent: 'plugins',
    answers: { 'scripted-paper': [{ throws: 'The model is away.' }, text('Back.')] },
    steps: [{ say: 'Publish.' }, { say: 'And now?' }],
  },
  {
    name: 'plugin-answers',
    says: 'has a plugin that answers in the place of the run',
    agent: 'plugin-that-answers',
    answers: {},
    steps: [{ say: 'Open?' }],
  },
  {
    name: 'plugin-on-event',
    says: 'has a plugin that changes events',
    agent: 'plugin-on-events',
    answers: { 'scripted-clerk': [text('A letter.'), text('Another.')] },
    steps: [{ say: 'Write.' }, { say: 'Write again.' }],
  },
  {
    name: 'global-instruction-plugin',
    says: 'has a plugin that instructs every agent',
    agent: 'global-instruction',
    state: { house: 'Bly' },
    answers: { 'scripted-servant': [text('Yes.')] },
    steps: [{ say: 'Serve.' }],
  },
];
