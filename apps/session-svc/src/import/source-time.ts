const LATEST_SECONDS = 253_402_300_799;

/** A time of which none is made is no reason to lose a session: `tell` hears of it, and the beginning of 1970 stands for it. */
export function orBeginning(seconds: number, tell: () => void): number {
  if (seconds >= 0 && seconds <= LATEST_SECONDS) return seconds;
  tell();
  return 0;
}
