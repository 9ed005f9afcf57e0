import { setFlagsFromString } from 'node:v8';

/**
 * How much of a function runs between two of V8's looks at it, in bytes of its bytecode: V8's own are 67,584. As an argument of Node it
 * counts from the start on.
 */
export const EARLY_LOOKS = '--interrupt-budget=3000';

/**
 * Has what runs often compiled for speed after hundreds of turns. V8 takes three looks at a function or more; what runs once a turn, as
 * most of a turn does, would be slow for the first ten or twenty thousand of them (ADR 38). To be said when all modules are loaded:
 * what only they run is not worth it. It counts for every thread of the process.
 */
export function optimizeEarly(): void {
  // V8 reads it after each look, so it may be said while the process runs.
  setFlagsFromString(EARLY_LOOKS);
}
