export { AgentLoader, type AgentLoaderOptions, type LoadedApp } from './agent-loader';
export { listApps, type SkippedFolder, skippedFolders } from './list-apps';
