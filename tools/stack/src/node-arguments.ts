/** How long a process has nothing to do before V8 looks for memory to give back. Its own is 8 s. */
const REST_MS = 5 * 60_000;

/**
 * What Node is told when a process of ours starts; V8 takes it at no later moment, and Node in no variable. A service that rests keeps its
 * memory for the next turn: by itself V8 collects all of it after seconds, twice, makes the young generation small, and the turns that
 * follow take each page from the kernel anew (ADR 33).
 */
export const nodeArguments: readonly string[] = [`--gc-memory-reducer-start-delay-ms=${REST_MS}`];
