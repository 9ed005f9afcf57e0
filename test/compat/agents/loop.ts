import { EXIT_LOOP, LlmAgent, LoopAgent } from '@google/adk';

const writer = new LlmAgent({
  name: 'writer',
  model: 'scripted-writer',
  instruction: 'Write again.',
  outputKey: 'draft',
});

const judge = new LlmAgent({
  name: 'judge',
  model: 'scripted-judge',
  instruction: 'Leave the loop once this is good: {draft}',
  tools: [EXIT_LOOP],
});

export const rootAgent = new LoopAgent({ name: 'workshop', subAgents: [writer, judge], maxIterations: 3 });
