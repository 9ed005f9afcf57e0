import { LlmAgent, SequentialAgent } from '@google/adk';

const writer = new LlmAgent({
  name: 'writer',
  model: 'scripted-writer',
  instruction: 'Write a line.',
  outputKey: 'draft',
});

const editor = new LlmAgent({
  name: 'editor',
  model: 'scripted-editor',
  instruction: 'Make this better: {draft}',
  outputKey: 'final',
});

export const rootAgent = new SequentialAgent({
  name: 'press',
  description: 'Writes and edits.',
  subAgents: [writer, editor],
});
