import type { IncomingHttpHeaders } from 'node:http';
import { AdkError } from '@skein/contracts';
import { tooLarge } from '@skein/artifact-store';
import type { ArtifactName, LoadArtifact } from '@skein/engine';
import { invalidRequest } from '../http/parse-request';
import { isMimeType } from './content-headers';

const DIGEST = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):\s*(?:,|$)/;

/** What a client wants saved, without the bytes. */
interface Content extends ArtifactName {
  readonly version: number | 'latest';
  readonly mimeType: string;
  /** In hex. */
  readonly sha256: string | undefined;
}

/** The headers of an upload; its size is looked at when it is announced, before anything is read. */
export function readContent(
  { version, ...name }: LoadArtifact,
  headers: IncomingHttpHeaders,
  limitBytes: number,
): Content {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new AdkError('invalid', 'request.media-type', 'Compressed bodies are not accepted');
  }
  // A piece would be taken for the whole, and be the latest version.
  if (headers['content-range'] !== undefined) {
    throw new AdkError('invalid', 'request.malformed', 'A version is sent as a whole, without Content-Range');
  }
  if (Number(headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  const mimeType = headers['content-type'] ?? 'application/octet-stream';
  if (!isMimeType(mimeType)) throw invalid('content-type', 'is not a media type');
  return { ...name, version: version ?? 'latest', mimeType, sha256: readDigest(headers) };
}

/** `?redirect=true` or nothing. */
export function readLinkWish(redirect: unknown): boolean {
  if (redirect === undefined || redirect === 'false') return false;
  if (redirect === 'true') return true;
  throw invalid('redirect', 'must be true or false');
}

/** RFC 9530. Of other algorithms nothing can be said. */
function readDigest(headers: IncomingHttpHeaders): string | undefined {
  for (const name of ['content-digest', 'repr-digest']) {
    const text = headers[name];
    if (typeof text !== 'string' || !text.includes('sha-256=')) continue;
    const [, digest] = DIGEST.exec(text) ?? [];
    if (digest === undefined) throw invalid(name, 'is not a digest, as sha-256=:…:');
    return Buffer.from(digest, 'base64').toString('hex');
  }
  return undefined;
}

function invalid(path: string, message: string): AdkError {
  return invalidRequest([{ path, message }]);
}
