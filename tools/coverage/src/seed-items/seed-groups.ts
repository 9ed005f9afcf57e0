import { agents } from './agents';
import { callbacksAndPlugins } from './callbacks-and-plugins';
import { database } from './database';
import { flow } from './flow';
import { memoryAndArtifacts } from './memory-and-artifacts';
import { models } from './models';
import { platform } from './platform';
import { processors } from './processors';
import { runner } from './runner';
import { type SeedGroup } from './seed-item';
import { stateAndSessions } from './state-and-sessions';
import { telemetry } from './telemetry';
import { testAreas } from './test-areas';
import { tools } from './tools';
import { typesAndEvents } from './types-and-events';

/** Everything the design documents name, by subject. */
export const seedGroups: readonly SeedGroup[] = [
  runner,
  agents,
  flow,
  processors,
  models,
  tools,
  callbacksAndPlugins,
  typesAndEvents,
  stateAndSessions,
  database,
  memoryAndArtifacts,
  telemetry,
  platform,
  testAreas,
];
