export { builtEntries, type AppEntries } from './app-entries';
export { nodeArguments } from './node-arguments';
export { appEnvironment, type AppName, nodeOptions, type SharedSettings } from './app-environment';
export { startEmbeddedNats, type EmbeddedNats, type EmbeddedNatsOptions } from './embedded-nats';
export {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from './embedded-postgres';
export { freePort } from './free-port';
export type { ProcessExit, RunningProcess } from './guarded-process';
export { untilGatewayReady } from './gateway-ready';
export { NatsAccess, stackAccess } from './nats-access';
export { runMigrations } from './run-migrations';
export { RunningStack } from './running-stack';
export { readStackConfig, type StackConfig } from './stack-config';
export type { StackProcess, StackState } from './stack-file';
export { startApp, type RunningApp } from './start-app';
export { startStack, type StackOptions } from './start-stack';
