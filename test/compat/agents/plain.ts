import { LlmAgent } from '@google/adk';

export const rootAgent = new LlmAgent({
  name: 'greeter',
  model: 'scripted-greeter',
  description: 'Greets people.',
  instruction: 'Greet who speaks to you.',
});
