import { artifactTables } from './artifact-tables';
import { installationTables } from './installation-tables';
import { invocationTables } from './invocation-tables';
import { memoryTables } from './memory-tables';
import { sessionTables } from './session-tables';
import { toolCallTables } from './tool-call-tables';

/**
 * Key columns compare by bytes (COLLATE "C"): ids are compared, never sorted for people, and the locale of a server must
 * not change the order in which rows are locked.
 */
export const createTables = [
  ...sessionTables,
  ...invocationTables,
  ...toolCallTables,
  ...artifactTables,
  ...memoryTables,
  ...installationTables,
];

export const dropTables = [
  'adk_imports',
  'adk_installation',
  'adk_streams',
  'adk_memory_entries',
  'adk_dropped_objects',
  'adk_artifacts',
  'adk_tool_lanes',
  'adk_tool_pools',
  'adk_dead_letters',
  'adk_tool_calls',
  'adk_journal',
  'adk_inputs',
  'adk_invocations',
  'adk_user_states',
  'adk_app_states',
  'adk_events',
  'adk_sessions',
].map((table) => `DROP TABLE ${table}`);
