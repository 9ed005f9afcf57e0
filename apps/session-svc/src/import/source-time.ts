/** A time that cannot be read is no reason to lose a session. */
export function orBeginning(seconds: number): number {
  return Number.isFinite(seconds) ? seconds : 0;
}
