import { DiscardPolicy, RetentionPolicy, StorageType, type StreamConfig } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { type StreamName, streams } from '@skein/contracts';

/** The part of a stream's configuration that is ours; what the server fills in beside it is not compared. */
export type OwnStreamConfig = Pick<
  StreamConfig,
  'name' | 'subjects' | 'retention' | 'storage' | 'discard' | 'max_age' | 'max_msgs' | 'duplicate_window'
>;

const WEEK_MS = 7 * 24 * 60 * 60_000;
// Long enough for every resend of ours; anything later is told apart in Postgres.
const DUPLICATE_WINDOW_MS = 2 * 60_000;

/** Every stream Skein needs. */
export const streamConfigs: readonly OwnStreamConfig[] = [
  workQueue('RUNS'),
  workQueue('TOOLS'),
  workQueue('RESULTS'),
  log('EVENTS'),
  // Advisories are sent once, to whoever listens in that moment. A poison message would else be silent.
  log('ADVISORIES'),
];

/** Each message is for one consumer and gone after its ack. A full queue refuses, so that its publisher sees it. */
function workQueue(name: StreamName): OwnStreamConfig {
  return {
    ...common(name),
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    max_msgs: 1_000_000,
    max_age: 0,
  };
}

/** Every message is for all who ask, for a week; Postgres has the rest. */
function log(name: StreamName): OwnStreamConfig {
  return {
    ...common(name),
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    max_msgs: -1,
    max_age: nanos(WEEK_MS),
  };
}

function common(name: StreamName) {
  return {
    name,
    subjects: [...streams[name]],
    storage: StorageType.File,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
  };
}
