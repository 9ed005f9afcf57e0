/**
 * Milliseconds since the epoch: the time of those who run the engine in their own process and bring none. No step of a
 * run reads it.
 */
// eslint-disable-next-line no-restricted-properties -- the one place, at the edge, that is allowed to.
export const systemClock = (): number => Date.now();
