import { type ObjectStore, StoredArtifactService } from '@skein/artifact-store';
import { type RpcClient } from '@skein/messaging';
import { RemoteArtifactMetadata, RemoteCallMemory } from '@skein/session-client';
import { type ServicesOfCall } from '../catalog/loaded-tool-catalog';

/** Artifacts and memory as one call may ask for them: with its ticket, of its own session and user. */
export function callServices(rpc: RpcClient, objects: ObjectStore): ServicesOfCall {
  return ({ call: { tool }, ticket }) => {
    const pass = { tool, ticket };
    return {
      artifactService: new StoredArtifactService(objects, new RemoteArtifactMetadata(rpc, { pass })),
      memoryService: new RemoteCallMemory(rpc, pass),
    };
  };
}
