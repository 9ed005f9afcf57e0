import { LlmAgent } from '@google/adk';

const billing = new LlmAgent({
  name: 'billing',
  model: 'scripted-billing',
  description: 'Knows about bills.',
  instruction: 'Answer questions about bills.',
});

const travel = new LlmAgent({
  name: 'travel',
  model: 'scripted-travel',
  description: 'Knows about trips.',
  instruction: 'Answer questions about trips.',
});

export const rootAgent = new LlmAgent({
  name: 'desk',
  model: 'scripted-desk',
  description: 'Sends people on.',
  instruction: 'Send people to who knows.',
  subAgents: [billing, travel],
});
