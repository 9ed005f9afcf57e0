import { AdkError } from '@skein/contracts';
import { type Context } from '@skein/engine';
import { kindOf } from './chosen-content';

/** What is done with bytes that are neither JSON nor text. */
export type BinaryResponses = 'inline' | 'artifact';

interface Reading {
  /** As `GET /pets`, for what is told of a failure. */
  readonly operation: string;
  /** Whether the call may be made again: then a server that is busy is a failure of the call. */
  readonly isRepeatable: boolean;
  readonly binary: BinaryResponses;
  readonly artifactName: string;
}

/** Told to the model of an answer that says no. */
const ERROR_BODY_CHARACTERS = 16_384;
/** Bytes shown to a model cost it much; more belongs into an artifact. */
const INLINE_BYTES = 256 * 1024;
const BUSY = [429, 502, 503, 504];

/**
 * An answer as the model reads it: JSON as it is, text as text, bytes in base64 or as an artifact; one that says no
 * with its status. Rejects with `openapi.busy`, of kind `unavailable`, where a repeatable call shall be tried again.
 */
export async function readResponse(response: Response, reading: Reading, context: Context): Promise<unknown> {
  if (!response.ok) return readFailure(response, reading);
  const contentType = response.headers.get('content-type') ?? '';
  const bytes = Buffer.from(await response.arrayBuffer());
  if (bytes.length === 0) return { status: response.status };
  const kind = contentType === '' ? 'text' : kindOf(contentType);
  if (kind === 'json') return jsonOf(bytes.toString('utf8'));
  if (kind === 'text' || kind === 'form') return bytes.toString('utf8');
  return readBytes(bytes, contentType, { reading, context });
}

async function readFailure(response: Response, { operation, isRepeatable }: Reading): Promise<unknown> {
  const { status, statusText } = response;
  const error = `${operation} answered ${[status, statusText].join(' ').trim()}`;
  if (isRepeatable && BUSY.includes(status)) {
    await response.body?.cancel();
    const retryAfterMs = retryAfter(response.headers.get('retry-after'));
    throw new AdkError('unavailable', 'openapi.busy', `${error}.`, { retryAfterMs });
  }
  const text = await response.text();
  const body =
    text.length > ERROR_BODY_CHARACTERS ? `${text.slice(0, ERROR_BODY_CHARACTERS)}…` : jsonOf(text);
  return { error, status, ...(text === '' ? {} : { body }) };
}

/** Seconds, or a date (RFC 9110). */
function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** A server that calls its text JSON is believed only where it is. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

async function readBytes(
  bytes: Buffer,
  mimeType: string,
  { reading, context }: { readonly reading: Reading; readonly context: Context },
): Promise<unknown> {
  const about = { mimeType, sizeBytes: bytes.length };
  const data = bytes.toString('base64');
  if (reading.binary === 'artifact') {
    const version = await context.saveArtifact(reading.artifactName, { inlineData: { mimeType, data } });
    return { ...about, artifact: reading.artifactName, version };
  }
  if (bytes.length <= INLINE_BYTES) return { ...about, data };
  return { ...about, error: `Too large to be shown: more than ${INLINE_BYTES} bytes.` };
}
