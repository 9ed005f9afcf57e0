import { calls, text } from '../answers';
import { type CompatCase } from '../case';

const operating = [calls(['erase_disk', { disk: 'sda' }]), text('It is done.')];

/** Calls that wait for somebody. */
export const waitingCases: readonly CompatCase[] = [
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
    name: 'conditional-confirmation',
    says: 'asks only before what is dear',
    agent: 'careful',
    answers: { 'scripted-clerk': [calls(['pay', { amount: 5 }]), text('Paid.')] },
    steps: [{ say: 'Pay 5.' }],
  },
  {
    name: 'partial-confirmation',
    says: 'calls two tools, of which one needs a confirmation',
    agent: 'careful',
    answers: {
      'scripted-clerk': [calls(['pay', { amount: 5 }], ['pay', { amount: 500 }]), text('Both are paid.')],
    },
    steps: [
      { say: 'Pay both.' },
      { answer: { call: 'adk_request_confirmation', response: { confirmed: true } } },
    ],
  },
  {
    name: 'own-confirmation',
    says: 'has a tool that asks by itself, and is answered with a payload',
    agent: 'careful',
    answers: { 'scripted-clerk': [calls(['book', { days: 9 }]), text('I asked.'), text('Booked.')] },
    steps: [
      { say: 'Nine days off.' },
      { answer: { call: 'adk_request_confirmation', response: { confirmed: true, payload: { days: 5 } } } },
    ],
  },
  {
    name: 'policy',
    says: 'has a policy that allows a call and denies another',
    agent: 'policy',
    answers: {
      'scripted-clerk': [
        calls(['pay', { amount: 5 }]),
        calls(['pay', { amount: 5000 }]),
        text('Half of it.'),
      ],
    },
    steps: [{ say: 'Pay both.' }],
  },
  {
    name: 'policy-asks',
    says: 'has a policy that has a human asked',
    agent: 'policy',
    answers: { 'scripted-clerk': [calls(['pay', { amount: 500 }]), text('Paid.')] },
    steps: [
      { say: 'Pay 500.' },
      { answer: { call: 'adk_request_confirmation', response: { confirmed: true } } },
    ],
  },
];
