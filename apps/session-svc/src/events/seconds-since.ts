const UUID_V7 = /^e-([0-9a-f]{8})-([0-9a-f]{4})-7/;

/**
 * How long ago an invocation was submitted: its id begins with that moment, by the clock of the session-svc that minted
 * it. For figures only; nothing is decided by it. Nothing for an id of another make.
 */
export function secondsSince(invocationId: string): number | undefined {
  const [, high, low] = UUID_V7.exec(invocationId) ?? [];
  if (high === undefined || low === undefined) return undefined;
  return Math.max(0, Date.now() - Number.parseInt(high + low, 16)) / 1_000;
}
