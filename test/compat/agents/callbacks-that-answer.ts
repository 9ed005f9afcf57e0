import { LlmAgent, SequentialAgent } from '@google/adk';

const guarded = new LlmAgent({
  name: 'guarded',
  model: 'scripted-guarded',
  beforeAgentCallback: () => ({ role: 'model', parts: [{ text: 'Not for you.' }] }),
  afterAgentCallback: () => ({ role: 'model', parts: [{ text: 'Never said.' }] }),
});

const cached = new LlmAgent({
  name: 'cached',
  model: 'scripted-cached',
  outputKey: 'from_cache',
  beforeModelCallback: () => ({ content: { role: 'model', parts: [{ text: 'From the cache.' }] } }),
});

export const rootAgent = new SequentialAgent({ name: 'both', subAgents: [guarded, cached] });
