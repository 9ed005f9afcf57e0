import { LlmAgent } from '@google/adk';

const quiet = new LlmAgent({
  name: 'quiet',
  model: 'scripted-quiet',
  description: 'Says one thing.',
  instruction: 'Say one thing.',
  disallowTransferToParent: true,
  disallowTransferToPeers: true,
});

const helper = new LlmAgent({
  name: 'helper',
  model: 'scripted-helper',
  description: 'Helps.',
  instruction: 'Help.',
  disallowTransferToPeers: true,
});

export const rootAgent = new LlmAgent({
  name: 'head',
  model: 'scripted-head',
  description: 'Decides.',
  instruction: 'Decide.',
  subAgents: [quiet, helper],
});
