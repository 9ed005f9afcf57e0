import { jsonObjectSchema, partSchema } from '@skein/contracts';
import { isEmptyPart, type ArtifactName, type LoadArtifact, type SaveArtifact } from '@skein/engine';
import { z } from 'zod';
import { camelCaseArtifact } from '../http/camel-case';
import { invalidRequest, parseRequest } from '../http/parse-request';
import { readKey } from '../sessions/read-session-request';

const VERSION = /^\d{1,9}$/;

const bodySchema = z.object({
  filename: z.string(),
  artifact: partSchema.refine((part) => !isEmptyPart(part), 'an artifact needs text, inlineData or fileData'),
  customMetadata: jsonObjectSchema.optional(),
});

/** A name may hold `/`, sent as it is or as %2F, so its path is any number of segments. */
const nameSchema = z.object({ name: z.array(z.string()).min(1) });

export function readSave(params: unknown, body: unknown): SaveArtifact {
  const { customMetadata, ...artifact } = parseRequest(bodySchema, camelCaseArtifact(body));
  return { ...readKey(params), ...artifact, ...(customMetadata ? { customMetadata } : {}) };
}

export function readName(params: unknown): ArtifactName {
  const { name } = parseRequest(nameSchema, params);
  return { ...readKey(params), filename: name.join('/') };
}

/** `latest`, or nothing, is the newest version. */
export function readVersion(params: unknown, version: unknown): LoadArtifact {
  const name = readName(params);
  if (version === undefined || version === 'latest') return name;
  if (typeof version === 'string' && VERSION.test(version)) return { ...name, version: Number(version) };
  throw invalidRequest([{ path: 'version', message: 'Invalid version ID' }]);
}
