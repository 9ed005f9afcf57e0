import { LlmAgent, SequentialAgent } from '@google/adk';

const poet = new LlmAgent({
  name: 'poet',
  model: 'scripted-poet',
  instruction: 'Write a line about {topic}.',
  outputKey: 'line',
});

const pair = new SequentialAgent({
  name: 'pair',
  subAgents: [poet, poet.clone({ name: 'rival', model: 'scripted-rival', outputKey: 'answer' })],
});

/** A copy of the whole tree; the first one is thrown away. */
export const rootAgent = pair.clone({ name: 'duel' });
