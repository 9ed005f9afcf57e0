import { calls, text } from '../answers';
import { type CompatCase } from '../case';

/** Agents of agents. */
export const agentCases: readonly CompatCase[] = [
  {
    name: 'sequential',
    says: 'is two in a row, the second of which reads what the first left in state',
    agent: 'sequential',
    answers: { 'scripted-writer': [text('A line.')], 'scripted-editor': [text('A better line.')] },
    steps: [{ say: 'Write.' }],
  },
  {
    name: 'parallel',
    says: 'is two side by side, and one that sums up what both said',
    agent: 'parallel',
    answers: {
      'scripted-salt': [text('More salt.')],
      'scripted-sugar': [text('Less sugar.')],
      'scripted-summary': [text('More salt, less sugar.')],
    },
    steps: [{ say: 'How is the soup?' }],
  },
  {
    name: 'loop-exit',
    says: 'is a loop, which one in it leaves',
    agent: 'loop',
    answers: {
      'scripted-writer': [text('First.'), text('Second.')],
      'scripted-judge': [text('Again.'), calls(['exit_loop', {}])],
    },
    steps: [{ say: 'Write.' }],
  },
  {
    name: 'loop-bound',
    says: 'is a loop that comes to the bound of its rounds',
    agent: 'loop',
    answers: {
      'scripted-writer': [text('First.'), text('Second.'), text('Third.')],
      'scripted-judge': [text('Again.'), text('Again!'), text('Oh.')],
    },
    steps: [{ say: 'Write.' }],
  },
  {
    name: 'transfer',
    says: 'hands over to a sub-agent, which keeps the word and hands it back',
    agent: 'transfer',
    answers: {
      'scripted-desk': [calls(['transfer_to_agent', { agentName: 'billing' }]), text('Anything else?')],
      'scripted-billing': [
        text('Your bill is 12.'),
        text('It is due today.'),
        calls(['transfer_to_agent', { agentName: 'desk' }]),
      ],
    },
    steps: [{ say: 'My bill?' }, { say: 'When is it due?' }, { say: 'Thanks. The desk, please.' }],
  },
  {
    name: 'agent-tool',
    says: "has another agent as its tool, with that one's state",
    agent: 'agent-tool',
    answers: {
      'scripted-author': [calls(['translator', { request: 'Good day' }]), text('Bonjour, it is.')],
      'scripted-translator': [calls(['note', { words: 'Bonjour' }]), text('Bonjour')],
    },
    steps: [{ say: 'Greet in French.' }],
  },
  {
    name: 'custom-agent',
    says: "is a class of its author's",
    agent: 'custom-agent',
    answers: { 'scripted-speaker': [text('Here I am.')] },
    steps: [{ say: 'Switch.' }, { say: 'Again.' }],
  },
];
