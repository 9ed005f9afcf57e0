export { AgentLoader, type AgentLoaderOptions, type LoadedApp } from './agent-loader';
export { findAgentFile, listApps, type SkippedFolder, skippedFolders } from './list-apps';
