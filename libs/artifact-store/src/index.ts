export { LocalObjectStore } from './local-object-store';
export { ObjectStore, type StoredObject } from './object-store';
export { StoredArtifactService } from './stored-artifact-service';
