export { type ArtifactContent, ArtifactContents, type ContentVersion, tooLarge } from './artifact-contents';
export { LocalObjectStore } from './local-object-store';
export { ObjectStore } from './object-store';
export { canUse, openObjectStore } from './open-object-store';
export { S3ObjectStore, type S3Settings } from './s3/s3-object-store';
export { StoredArtifactService } from './stored-artifact-service';
