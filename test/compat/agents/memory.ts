import { LlmAgent, LOAD_MEMORY } from '@google/adk';

export const rootAgent = new LlmAgent({
  name: 'friend',
  model: 'scripted-friend',
  instruction: 'Remember what was said.',
  tools: [LOAD_MEMORY],
});
