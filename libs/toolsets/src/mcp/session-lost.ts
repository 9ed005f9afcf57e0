/** The server does not know the session, or was not there: the request had no effect, and may be made again. */
export class SessionLost extends Error {
  override readonly name = 'SessionLost';
}

/** Whether nobody took the connection: then nothing of the request arrived. */
export function isRefused(thrown: unknown, depth = 0): boolean {
  if (!(thrown instanceof Error) || depth > 5) return false;
  if ('code' in thrown && thrown.code === 'ECONNREFUSED') return true;
  const inner: unknown[] = thrown instanceof AggregateError ? thrown.errors : [];
  return [thrown.cause, ...inner].some((cause) => isRefused(cause, depth + 1));
}
