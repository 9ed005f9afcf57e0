import { setFlagsFromString } from 'node:v8';

/**
 * Has young objects collected by the thread that made them. V8 wakes helper threads for each such collection, of which a busy
 * service has several in a second, and each is done in milliseconds: where every core has a process of ours to run, waking and
 * waiting for them takes more than they do.
 */
export function collectAlone(): void {
  // V8 looks at it for each collection, so it may be said while the process runs.
  setFlagsFromString('--no-parallel-scavenge');
}
