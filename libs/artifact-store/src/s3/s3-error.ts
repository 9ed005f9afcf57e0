import { AdkError } from '@skein/contracts';

const MISSING = new Set(['NoSuchKey', 'NotFound']);
/** Of the network, of S3 servers under load, of one that is starting, and of one that is full, which may be mended. */
const TRANSIENT = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'ERR_STREAM_PREMATURE_CLOSE', 'HPE_INVALID_CONSTANT'],
  ...['SlowDown', 'RequestTimeout', 'InternalError', 'ServiceUnavailable', 'OperationAborted', 'Busy'],
  ...['XMinioServerNotInitialized', 'RequestTimeTooSkewed', 'XMinioStorageFull', 'NoSuchBucket'],
]);

/** Of a key: a bucket that is missing is made. */
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

/** Whether a range was refused because the object ends before it. */
export function isPastEnd(error: AdkError): boolean {
  return codeOf(error.cause) === 'InvalidRange';
}

export function isBucketMissing(error: unknown): boolean {
  return codeOf(error) === 'NoSuchBucket';
}

/** An answer that says `later`. */
export function isTransientStatus(status: number): boolean {
  return [408, 429, 499, 500, 502, 503, 504, 507, 520].includes(status);
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
