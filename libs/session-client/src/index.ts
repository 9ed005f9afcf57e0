export {
  AppendPipeline,
  type AppendPipelineParams,
  isCancelRequested,
  isFenced,
  type UnitOwner,
} from './append-pipeline';
export { AppendUnitClient } from './append-unit-client';
export { RemoteArtifactMetadata } from './remote-artifact-metadata';
export { RemoteCallMemory } from './remote-call-memory';
export { RemoteJournal } from './remote-journal';
export { RemoteMemoryService } from './remote-memory-service';
export { RemoteSessionService } from './remote-session-service';
export { SessionRpc } from './session-rpc';
export { type GivenContext } from './staged-call';
