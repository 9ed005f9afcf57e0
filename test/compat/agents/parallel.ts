import { LlmAgent, ParallelAgent, SequentialAgent } from '@google/adk';

const taste = (name: string) =>
  new LlmAgent({
    name,
    model: `scripted-${name}`,
    instruction: `You are the ${name} critic.`,
    outputKey: `${name}_view`,
  });

const summary = new LlmAgent({
  name: 'summary',
  model: 'scripted-summary',
  instruction: 'Sum up: {salt_view} / {sugar_view}',
});

export const rootAgent = new SequentialAgent({
  name: 'kitchen',
  subAgents: [new ParallelAgent({ name: 'critics', subAgents: [taste('salt'), taste('sugar')] }), summary],
});
