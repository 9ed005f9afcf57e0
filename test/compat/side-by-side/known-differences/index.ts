import { type KnownDifference } from '../known-difference';
import { agentDifferences } from './agents';
import { errorDifferences } from './errors';
import { toolDifferences } from './tools';
import { waitingDifferences } from './waiting';

export const knownDifferences: readonly KnownDifference[] = [
  ...waitingDifferences,
  ...toolDifferences,
  ...errorDifferences,
  ...agentDifferences,
];
