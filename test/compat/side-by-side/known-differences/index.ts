import { type KnownDifference } from '../known-difference';
import { agentDifferences } from './agents';
import { errorDifferences } from './errors';
import { toolDifferences } from './tools';

export const knownDifferences: readonly KnownDifference[] = [
  ...toolDifferences,
  ...errorDifferences,
  ...agentDifferences,
];
