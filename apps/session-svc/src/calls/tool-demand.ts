import { type OpenCalls } from '@skein/session-store';
import { type PoolOfWorkers, type WorkerDirectory } from '../workers/worker-directory';

/** What one pool is asked for, and what it has to do it. */
export interface PoolDemand extends PoolOfWorkers {
  readonly queued: number;
  readonly dispatched: number;
  /** Of those, the ones whose tool no live worker has. */
  readonly unserved: number;
  /** For how long the oldest call has been there that no worker runs. */
  readonly oldestSeconds: number;
}

/** Calls of one tool that no live worker can take. */
export interface UnservedTool {
  readonly appName: string;
  readonly tool: string;
  readonly pool: string;
  readonly calls: number;
}

type Workers = Pick<WorkerDirectory, 'serves' | 'isRunning' | 'isInformed' | 'pools'>;

/** Puts together what is to be done and who is there to do it; of every pool that has calls or workers, and those named. */
export function demandOf(
  open: readonly OpenCalls[],
  workers: Workers,
  known: Iterable<string> = [],
): PoolDemand[] {
  const staffed = new Map(workers.pools().map((pool) => [pool.pool, pool]));
  const unserved = unservedOf(open, workers);
  const names = new Set([...known, ...staffed.keys(), ...open.map(({ pool }) => pool)]);
  return [...names].sort().map((name) => {
    const inPool = open.filter(({ pool }) => pool === name);
    return {
      ...(staffed.get(name) ?? { pool: name, workers: 0, capacity: 0, running: 0 }),
      queued: sum(inPool, ({ queued }) => queued),
      dispatched: sum(inPool, ({ dispatched }) => dispatched),
      unserved: sum(
        unserved.filter(({ pool }) => pool === name),
        ({ calls }) => calls,
      ),
      oldestSeconds: Math.max(0, ...inPool.map((calls) => oldestWaiting(calls, workers))),
    };
  });
}

/** Nothing while the directory cannot tell: it has not listened for long enough. */
export function unservedOf(open: readonly OpenCalls[], workers: Workers): UnservedTool[] {
  if (!workers.isInformed()) return [];
  return open.flatMap(({ appName, tool, pool, queued, dispatched, oldest }) => {
    if (workers.serves(appName, tool, pool)) return [];
    // A worker that is leaving takes no more, and finishes those.
    const running = oldest.filter(({ dispatchId }) => workers.isRunning({ dispatchId, pool })).length;
    const calls = queued + dispatched - running;
    return calls > 0 ? [{ appName, tool, pool, calls }] : [];
  });
}

/** Where all that were read are running, the rest has waited no longer than the last of them. */
function oldestWaiting({ pool, queued, dispatched, oldest }: OpenCalls, workers: Workers): number {
  const waiting = oldest.find(({ dispatchId }) => !workers.isRunning({ dispatchId, pool }));
  if (waiting) return waiting.seconds;
  return queued + dispatched > oldest.length ? (oldest.at(-1)?.seconds ?? 0) : 0;
}

function sum<T>(items: readonly T[], figure: (item: T) => number): number {
  return items.reduce((total, item) => total + figure(item), 0);
}
