import { countAdvisories, type MessagingConnection, type QueueLag, readQueueLags } from '@skein/messaging';
import { type Metrics } from '@skein/platform';
import { countDeadLetters, measureWork, type Store, type WorkInHand } from '@skein/session-store';
import { askOnce } from './ask-once';
import { measurePools } from './workers/pool-metrics';
import { type WorkerDirectory } from './workers/worker-directory';

export interface WorkMetricsParts {
  readonly store: Store;
  /** Beside the pool: with that exhausted, what is behind is what one wants to know. */
  readonly probe: Store;
  readonly connection: MessagingConnection;
  readonly workers: WorkerDirectory;
  readonly unpublished: () => { readonly events: number; readonly oldestSeconds: number };
}

/**
 * What is behind, in the deployment as a whole: every session-svc tells the same, so take the highest, not the sum.
 * Of what is read in one question, all figures come from one answer.
 */
export function measureBacklog(metrics: Metrics, parts: WorkMetricsParts): void {
  const { store, probe, connection, workers, unpublished } = parts;
  const queues = askOnce(() => readQueueLags(connection));
  const ofQueues = (figure: (lag: QueueLag) => number) => async () =>
    (await queues()).map((lag) => [labelsOf(lag), figure(lag)] as const);
  metrics.gauge(
    'skein_queue_waiting_messages',
    'Messages of a work queue that nobody has taken yet, by stream; of TOOLS by pool.',
    ofQueues(({ waiting }) => waiting),
  );
  metrics.gauge(
    'skein_queue_started_messages',
    'Messages of a work queue that somebody has and has not settled.',
    ofQueues(({ started }) => started),
  );
  metrics.gauge(
    'skein_queue_oldest_seconds',
    'How long the oldest message that nobody has taken has waited.',
    ofQueues(({ oldestSeconds }) => oldestSeconds),
  );

  metrics.gauge(
    'skein_dead_letter_advisories',
    'What JetStream tells of messages given up in the last week, also of those whose worker died each time.',
    () => countAdvisories(connection),
  );

  measurePools(metrics, { pool: probe.pool, workers, queues });

  metrics.gauge(
    'skein_dead_letters_waiting',
    'Calls the plane ended that nobody has sent again or discarded, by pool.',
    async () => (await countDeadLetters(probe.pool)).map(([pool, open]) => [{ pool }, open] as const),
  );

  const work = askOnce(() => measureWork(probe.pool));
  const ofWork = (figure: (work: WorkInHand) => number) => async () => figure(await work());
  metrics.gauge(
    'skein_invocations_queued',
    'Invocations that wait for a runner.',
    ofWork(({ queued }) => queued),
  );
  metrics.gauge(
    'skein_invocations_running',
    'Invocations a runner has.',
    ofWork(({ running }) => running),
  );
  metrics.gauge(
    'skein_invocations_oldest_queued_seconds',
    'How long the invocation has waited that was queued first.',
    ofWork(({ oldestQueuedSeconds }) => oldestQueuedSeconds),
  );

  metrics.gauge(
    'skein_events_unpublished',
    'Events stored by this process that the stream does not have yet.',
    () => unpublished().events,
  );
  metrics.gauge(
    'skein_events_oldest_unpublished_seconds',
    'How long the first of them has waited.',
    () => unpublished().oldestSeconds,
  );
  metrics.gauge('skein_pg_pool_connections', 'Connections to PostgreSQL, by state: in use or idle.', () => [
    [{ state: 'in_use' }, store.pool.totalCount - store.pool.idleCount],
    [{ state: 'idle' }, store.pool.idleCount],
  ]);
  metrics.gauge(
    'skein_pg_pool_waiting',
    'Statements that wait for a connection.',
    () => store.pool.waitingCount,
  );
}

function labelsOf({ stream, pool }: QueueLag): Record<string, string> {
  return pool === undefined ? { stream } : { stream, pool };
}
