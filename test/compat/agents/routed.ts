import { type AgentRouter, LlmAgent, RoutedAgent } from '@google/adk';

const day = new LlmAgent({ name: 'day', model: 'scripted-day', instruction: 'It is day.' });
const night = new LlmAgent({ name: 'night', model: 'scripted-night', instruction: 'It is night.' });

const byState: AgentRouter = (_agents, { session }) => {
  const { hour } = session.state;
  return typeof hour === 'string' ? hour : undefined;
};

export const rootAgent = new RoutedAgent({
  name: 'clock',
  agents: { noon: day, midnight: night },
  router: byState,
});
