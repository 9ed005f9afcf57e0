import { type ConsumerInfo, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { type StreamName, streams } from '@skein/contracts';
import { type MessagingConnection } from '../connection/messaging-connection';

const ASK_MS = 1_000;

/** How far one work queue is behind. */
export interface QueueLag {
  readonly stream: StreamName;
  /** Of TOOLS alone, as its subjects spell it. */
  readonly pool?: string;
  /** Not given to anybody yet. */
  readonly waiting: number;
  /** Given to somebody, and not settled. */
  readonly started: number;
  /** For how long the oldest of the waiting ones has been waiting, by the server's clock; 0 when none is. */
  readonly oldestSeconds: number;
}

/** The lag of every work queue; also of a pool that has calls and no worker. Rejects when JetStream is away. */
export async function readQueueLags(connection: MessagingConnection): Promise<QueueLag[]> {
  const manager = await jetstreamManager(connection.nats, { checkAPI: false, timeout: ASK_MS });
  const [runs, results, ...pools] = await Promise.all([
    lagOf(manager, 'RUNS', streams.RUNS[0]),
    lagOf(manager, 'RESULTS', streams.RESULTS[0]),
    ...[...(await poolsOf(manager))].map(([pool, queues]) => lagOfPool(manager, pool, queues)),
  ]);
  return [runs, results, ...pools];
}

/** How many messages of work queues JetStream told of as given up, in the week its stream of advisories keeps. */
export async function countAdvisories(connection: MessagingConnection): Promise<number> {
  const manager = await jetstreamManager(connection.nats, { checkAPI: false, timeout: ASK_MS });
  return (await manager.streams.info('ADVISORIES')).state.messages;
}

/** The queues of each pool, one for each priority: of those with calls, and of those with workers. */
async function poolsOf(manager: JetStreamManager): Promise<ReadonlyMap<string, readonly string[]>> {
  const { state } = await manager.streams.info('TOOLS', { subjects_filter: streams.TOOLS[0] });
  const consumers = await manager.consumers.list('TOOLS').next();
  const subjects = [...Object.keys(state.subjects ?? {}), ...consumers.map(subjectOf)];
  const pools = new Map<string, string[]>();
  for (const subject of new Set(subjects)) {
    const pool = subject.split('.')[1] ?? subject;
    pools.set(pool, [...(pools.get(pool) ?? []), subject]);
  }
  return pools;
}

async function lagOfPool(
  manager: JetStreamManager,
  pool: string,
  queues: readonly string[],
): Promise<QueueLag> {
  const lags = await Promise.all(queues.map((subject) => lagOf(manager, 'TOOLS', subject)));
  return {
    ...{ stream: 'TOOLS', pool },
    waiting: lags.reduce((sum, { waiting }) => sum + waiting, 0),
    started: lags.reduce((sum, { started }) => sum + started, 0),
    oldestSeconds: Math.max(0, ...lags.map(({ oldestSeconds }) => oldestSeconds)),
  };
}

async function lagOf(manager: JetStreamManager, stream: StreamName, subject: string): Promise<QueueLag> {
  const consumer = await consumerOf(manager, stream, subject);
  const { state, ts } = await manager.streams.info(stream, { subjects_filter: subject });
  const stored = Object.values(state.subjects ?? {}).reduce((sum, count) => sum + count, 0);
  const started = consumer?.num_ack_pending ?? 0;
  const waiting = consumer?.num_pending ?? stored;
  if (waiting === 0) return { stream, waiting, started, oldestSeconds: 0 };
  // In a variable, because the client's type leaves out what the server can do.
  const next = { seq: (consumer?.delivered.stream_seq ?? 0) + 1, next_by_subj: subject };
  const oldest = await manager.streams.getMessage(stream, next);
  const nowMs = Date.parse(ts ?? '') || Date.now();
  const oldestSeconds = oldest ? Math.max(0, nowMs - oldest.time.getTime()) / 1_000 : 0;
  return { stream, waiting, started, oldestSeconds };
}

async function consumerOf(
  manager: JetStreamManager,
  stream: StreamName,
  subject: string,
): Promise<ConsumerInfo | undefined> {
  // A work queue has one for each part of its subjects, and a page holds 256.
  const consumers = await manager.consumers.list(stream).next();
  return consumers.find((one) => subjectOf(one) === subject);
}

function subjectOf({ config }: ConsumerInfo): string {
  return config.filter_subject ?? '';
}
