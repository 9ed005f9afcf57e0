import { AdkError } from '@skein/contracts';

const MISSING = new Set(['NoSuchKey', 'NotFound']);
/** Of the network, of S3 servers under load, and of a server that is starting. */
const TRANSIENT = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'ERR_STREAM_PREMATURE_CLOSE', 'HPE_INVALID_CONSTANT'],
  ...['SlowDown', 'RequestTimeout', 'InternalError', 'ServiceUnavailable', 'OperationAborted', 'Busy'],
  ...['XMinioServerNotInitialized', 'RequestTimeTooSkewed'],
]);

/** Of a key; that of a bucket is a mistake of the set-up. */
export function isMissing(error: unknown): boolean {
  return MISSING.has(codeOf(error));
}

/** What the client or the network threw, by what asking again would do. Its own text stays in `cause`: it may hold keys. */
export function asObjectError(error: unknown): AdkError {
  if (AdkError.isInstance(error)) return error;
  const code = codeOf(error);
  if (TRANSIENT.has(code)) return unavailable(code, error);
  return new AdkError(
    'internal',
    'object.refused',
    `The object store refused the request${code === '' ? '' : `: ${code}`}.`,
    { cause: error },
  );
}

/** An answer that says `later`. */
export function isTransientStatus(status: number): boolean {
  return [408, 429, 499, 500, 502, 503, 504, 520].includes(status);
}

export function unavailable(what: string, cause?: unknown): AdkError {
  return new AdkError('unavailable', 'object.unavailable', `The object store cannot be reached: ${what}.`, {
    cause,
  });
}

export function silent(idleMs: number): AdkError {
  return new AdkError('deadline', 'object.timeout', `The object store was silent for ${idleMs} ms.`);
}

export function codeOf(error: unknown): string {
  // Not by class: an error of the network may be from another realm.
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}
