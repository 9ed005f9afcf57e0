import { AdkError } from '@skein/contracts';

/** Why a request failed, in place of undici's `fetch failed`: what the guard said, else what kind of failure it is. */
export function fetchError(thrown: unknown, host: string): AdkError {
  const causes = causesOf(thrown);
  const told = causes.find((cause) => AdkError.isInstance(cause));
  if (told) return told;
  const codes = causes.map((cause) => (cause instanceof Error && 'code' in cause ? String(cause.code) : ''));
  const code = codes.find(Boolean) ?? '';
  return code === 'ENOTFOUND'
    ? new AdkError('not_found', 'egress.unknown-host', `There is no host ${host}.`, { cause: thrown })
    : unreachable(thrown, host, code);
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
