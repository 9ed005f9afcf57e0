import { z } from 'zod';
import { jsonObjectSchema } from './json';
import { sessionKeySchema } from './ids';

/**
 * Which artifact, for `rpc.artifact.versions` (numbers, ascending), `rpc.artifact.describe` (each version) and
 * `rpc.artifact.delete`. A filename that begins with
 * `user:` belongs to the user, not to the session (B60).
 */
export const artifactKeySchema = sessionKeySchema.extend({ filename: z.string().min(1).max(1024) });
export type ArtifactKey = z.infer<typeof artifactKeySchema>;

/**
 * `rpc.artifact.record`: gives the next version to bytes that are already in the object store under `objectKey`; one object
 * has one. Answers the version there is, with the object that one has, when the same was recorded before. A key that was
 * deleted since, refused before or is another artifact's is refused (`artifact.deleted`).
 */
export const recordArtifactSchema = artifactKeySchema.extend({
  /** Made by the saver; no other object in the store has such a key. */
  objectKey: z.uuid(),
  mimeType: z.string(),
  sizeBytes: z.number().int().nonnegative(),
  sha256: z.string(),
  /** What the first bytes say they are, which need not be `mimeType`. */
  sniffedType: z.string().optional(),
  customMetadata: jsonObjectSchema.optional(),
  /** A save that is done again has the same one, and gets the version of the first time. */
  saveKey: z.string().optional(),
  /**
   * A number: this version, which is the next one or has the same content already; anything else is a conflict. `latest`:
   * the next one, unless the latest has the same content already.
   */
  version: z.union([z.number().int().nonnegative(), z.literal('latest')]).optional(),
});
export type RecordArtifact = z.infer<typeof recordArtifactSchema>;

/** One version of an artifact, as stored. Versions count from 0. */
export const artifactVersionSchema = z.object({
  filename: z.string(),
  version: z.number().int().nonnegative(),
  objectKey: z.string(),
  mimeType: z.string(),
  sizeBytes: z.number().int().nonnegative(),
  sha256: z.string(),
  /** What the first bytes say they are, which need not be `mimeType`. */
  sniffedType: z.string().optional(),
  customMetadata: jsonObjectSchema.optional(),
  /** Float seconds. */
  createTime: z.number(),
});
export type ArtifactVersion = z.infer<typeof artifactVersionSchema>;

/** `rpc.artifact.find`: one version, the latest when none is named; answers nothing when there is none. */
export const findArtifactSchema = artifactKeySchema.extend({
  version: z.number().int().nonnegative().optional(),
});
export type FindArtifact = z.infer<typeof findArtifactSchema>;

/** `rpc.artifact.list`: filenames of the session and of its user, sorted. */
export const listArtifactsSchema = sessionKeySchema;
export type ListArtifacts = z.infer<typeof listArtifactsSchema>;
