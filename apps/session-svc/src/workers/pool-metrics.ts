import { fromSubjectToken } from '@skein/contracts';
import { type QueueLag } from '@skein/messaging';
import { type Metrics } from '@skein/platform';
import { measureToolCalls, type StorePool } from '@skein/session-store';
import { askOnce } from '../ask-once';
import { demandOf, type PoolDemand } from '../calls/tool-demand';
import { type WorkerDirectory } from './worker-directory';

export interface PoolMetricsParts {
  readonly pool: StorePool;
  readonly workers: WorkerDirectory;
  readonly queues: () => Promise<readonly QueueLag[]>;
}

/**
 * What each pool of tool workers is asked for and has, to scale it by. The calls are counted where they are stored: what
 * JetStream says of its queues leaves out a message it gave up, and is lost with its disk.
 */
export function measurePools(metrics: Metrics, parts: PoolMetricsParts): void {
  const demand = askOnce(poolsIn(parts));
  const of = (figure: (demand: PoolDemand) => number) => async () =>
    (await demand()).map((one) => [{ pool: one.pool }, figure(one)] as const);
  metrics.gauge(
    'skein_tool_calls_queued',
    'Tool calls that wait for their turn, by pool: for a worker that has the tool, a limit or a share.',
    of(({ queued }) => queued),
  );
  metrics.gauge(
    'skein_tool_calls_dispatched',
    'Tool calls given to a pool and without a result, whether or not a worker has begun them.',
    of(({ dispatched }) => dispatched),
  );
  metrics.gauge(
    'skein_tool_calls_oldest_seconds',
    'How long the oldest tool call of a pool has been there that no worker runs.',
    of(({ oldestSeconds }) => oldestSeconds),
  );
  metrics.gauge(
    'skein_tool_calls_unserved',
    'Tool calls of a pool that none of its live workers has the tool for.',
    of(({ unserved }) => unserved),
  );
  metrics.gauge(
    'skein_tool_pool_workers',
    'Tool workers of a pool that live and take calls.',
    of(({ workers }) => workers),
  );
  metrics.gauge(
    'skein_tool_pool_capacity',
    'Tool calls that these workers run at most at the same time.',
    of(({ capacity }) => capacity),
  );
  metrics.gauge(
    'skein_tool_pool_running',
    'Tool calls that workers of a pool run now, those of workers that are leaving too.',
    of(({ running }) => running),
  );
}

function poolsIn({ pool, workers, queues }: PoolMetricsParts): () => Promise<readonly PoolDemand[]> {
  // A pool that was there stays, with 0: whoever scales by a series cannot tell one that vanished from one it cannot read.
  const known = new Set<string>();
  return async () => {
    const [open, lags] = await Promise.all([measureToolCalls(pool), queues().catch(() => [])]);
    // What had workers once has a queue, also when this process has heard of none since it began.
    for (const lag of lags) if (lag.pool !== undefined) known.add(fromSubjectToken(lag.pool));
    const pools = demandOf(open, workers, known);
    for (const one of pools) known.add(one.pool);
    return pools;
  };
}
