import { GlobalInstructionPlugin, LlmAgent } from '@google/adk';

export const rootAgent = new LlmAgent({ name: 'servant', model: 'scripted-servant', instruction: 'Serve.' });
export const plugins = [new GlobalInstructionPlugin('The house is {house}.')];
