import { LlmAgent } from '@google/adk';

const second = new LlmAgent({
  name: 'second',
  model: 'scripted-second',
  description: 'Comes second.',
  instruction: (context) => `Provided to ${context.agentName}: {mood} stays as it is.`,
});

export const rootAgent = new LlmAgent({
  name: 'first',
  model: 'scripted-first',
  description: 'Comes first.',
  globalInstruction: 'Be kind when the mood is {mood}.',
  instruction: 'Say {{mood}} and {missing?}.',
  subAgents: [second],
  generateContentConfig: { temperature: 0.2, maxOutputTokens: 100 },
});
