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
    name: 'nested',
    says: 'is agents in agents in agents',
    agent: 'nested',
    answers: {
      'scripted-a1': [text('One.')],
      'scripted-a2': [text('Two.')],
      'scripted-fixer': [text('Fixed?'), text('Fixed.')],
      'scripted-checker': [text('No.'), text('Nearly.')],
      'scripted-last': [text('End.')],
    },
    steps: [{ say: 'Go.' }],
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
    name: 'no-transfer-back',
    says: 'hands over to one that may hand over to nobody',
    agent: 'no-transfer',
    answers: {
      'scripted-head': [calls(['transfer_to_agent', { agentName: 'quiet' }]), text('I am back.')],
      'scripted-quiet': [text('One thing.')],
    },
    steps: [{ say: 'Quiet?' }, { say: 'And now?' }],
  },
  {
    name: 'handing-tool',
    says: "has a tool of its author's that hands over",
    agent: 'handing-tool',
    answers: {
      'scripted-porter': [calls(['escort', { to: 'doctor' }])],
      'scripted-doctor': [text('Where does it hurt?')],
    },
    steps: [{ say: 'It hurts.' }],
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
    name: 'agent-tool-schemas',
    says: 'has an agent as its tool that takes and gives by schemas',
    agent: 'agent-tools',
    answers: {
      'scripted-market': [calls(['scale', { thing: 'apple', unit: 'g' }]), text('100 g.')],
      'scripted-scale': [text('{"weight":100}')],
    },
    steps: [{ say: 'Weigh the apple.' }],
  },
  {
    name: 'agent-tool-last-word',
    says: 'has an agent as its tool whose words are the last',
    agent: 'agent-tools',
    answers: {
      'scripted-market': [calls(['crier', { request: 'Apples' }])],
      'scripted-crier': [text('APPLES!')],
    },
    steps: [{ say: 'Cry.' }],
  },
  {
    name: 'custom-agent',
    says: "is a class of its author's",
    agent: 'custom-agent',
    answers: { 'scripted-speaker': [text('Here I am.')] },
    steps: [{ say: 'Switch.' }, { say: 'Again.' }],
  },
  {
    name: 'clones',
    says: 'is a copy of a sequence, in which one agent is a copy of the other',
    agent: 'clones',
    state: { topic: 'rain' },
    answers: { 'scripted-poet': [text('It pours.')], 'scripted-rival': [text('It drips.')] },
    steps: [{ say: 'Begin.' }],
  },
  {
    name: 'routed',
    says: 'is chosen by a function, each time anew',
    agent: 'routed',
    answers: { 'scripted-day': [text('Sun.')], 'scripted-night': [text('Moon.')] },
    steps: [
      { say: 'What shines?', stateDelta: { hour: 'noon' } },
      { say: 'And now?', stateDelta: { hour: 'midnight' } },
    ],
  },
  {
    name: 'routed-nowhere',
    says: 'is chosen by a function that chooses none',
    agent: 'routed',
    answers: { 'scripted-day': [text('Sun.')] },
    steps: [{ say: 'What shines?' }, { say: 'What shines?', stateDelta: { hour: 'noon' } }],
  },
  {
    name: 'routed-fallback',
    says: 'is chosen once more for each that fails before it said anything',
    agent: 'routed-fallback',
    answers: { 'scripted-spare': [text('I am here.')] },
    steps: [{ say: 'Anyone?' }],
  },
];
