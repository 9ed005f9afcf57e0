import { AdkError } from '@skein/contracts';

/** Why a request failed, in place of undici's `fetch failed`: what the guard said, else what kind of failure it is. */
export function fetchError(thrown: unknown, host: string): AdkError {
  const causes = causesOf(thrown);
  const told = causes.find((cause) => AdkError.isInstance(cause));
  if (told) return told;
  const codes = causes.map(codeOf);
  const code = codes.find(Boolean) ?? '';
  if (isBadlyPacked(code)) {
    const message = `What ${host} answered is not packed as it says: ${code}.`;
    return new AdkError('invalid', 'egress.bad-body', message, { cause: thrown });
  }
  return code === 'ENOTFOUND'
    ? new AdkError('not_found', 'egress.unknown-host', `There is no host ${host}.`, { cause: thrown })
    : unreachable(thrown, host, code);
}

function codeOf(cause: unknown): string {
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
}

/** Of gzip and deflate, of brotli: asked again, the server would send the same. A body that was cut off has another code. */
function isBadlyPacked(code: string): boolean {
  return code === 'Z_DATA_ERROR' || code.startsWith('ERR__ERROR_FORMAT');
}

function unreachable(cause: unknown, host: string, code: string): AdkError {
  return new AdkError(
    'unavailable',
    'egress.unreachable',
    `No answer from ${host}${code ? `: ${code}` : ''}.`,
    { cause },
  );
}

/** The error, what caused it, and so on; of several that failed together, each. */
function causesOf(thrown: unknown, depth = 0): unknown[] {
  if (!(thrown instanceof Error) || depth > 5) return [thrown];
  const inner: unknown[] = thrown instanceof AggregateError ? thrown.errors : [];
  return [thrown, thrown.cause, ...inner].flatMap((cause) =>
    cause === thrown ? [cause] : cause === undefined ? [] : causesOf(cause, depth + 1),
  );
}
