export type { AppEntries } from './app-entries';
export { startEmbeddedNats, type EmbeddedNats, type EmbeddedNatsOptions } from './embedded-nats';
export {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from './embedded-postgres';
export type { ProcessExit, RunningProcess } from './guarded-process';
export { RunningStack } from './running-stack';
export { readStackConfig, type StackConfig } from './stack-config';
export type { StackProcess, StackState } from './stack-file';
export { startStack, type StackOptions } from './start-stack';
