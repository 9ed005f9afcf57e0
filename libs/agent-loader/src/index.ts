export { AgentLoader, type AgentLoaderOptions, type LoadedApp } from './agent-loader';
export { canReadApps, findAgentFile, listApps, type SkippedFolder, skippedFolders } from './list-apps';
