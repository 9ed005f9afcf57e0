import { setFlagsFromString } from 'node:v8';

/** What the framework itself takes of a heap. */
const OWN_HEAP_MB = 64;

/** V8's own size, whatever NODE_OPTIONS gives the worker: how much a tool may take is bounded. */
export const SEMI_SPACE_MB = 16;
/** As V8 counts it: both halves, and what is too large for them. */
export const YOUNG_GENERATION_MB = 3 * SEMI_SPACE_MB;

/** Room for what a tool keeps, and for the framework beside it. */
export function oldGenerationMb(memoryLimitBytes: number): number {
  return Math.ceil(memoryLimitBytes / 2 ** 20) + OWN_HEAP_MB;
}

/**
 * To be called before the first thread is made. A young generation that NODE_OPTIONS names is that of every thread too, whatever its limits
 * say; from here on those count. The heap that runs already keeps what it was given.
 */
export function letThreadsBeBounded(): void {
  setFlagsFromString('--max-semi-space-size=0');
}
