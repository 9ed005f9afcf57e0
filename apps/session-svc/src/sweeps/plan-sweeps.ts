import { type MessagingConnection } from '@skein/messaging';
import { type Logger } from '@skein/platform';
import { closeLeftCalls, forgetDeadLetters, type StorePool, touchStaleQueued } from '@skein/session-store';
import { type Admission } from '../calls/admission';
import { type EndedCalls } from '../calls/ended-calls';
import { type FalseClaims } from '../calls/false-claims';
import { NotStartedCalls } from '../calls/not-started-calls';
import { type Redrives } from '../calls/redrives';
import { type ResultForwarder } from '../calls/result-forwarder';
import { type UnservedTools } from '../calls/unserved-tools';
import { WaitingResults } from '../calls/waiting-results';
import { type EventPublisher } from '../events/event-publisher';
import { type StreamWatch } from '../events/stream-watch';
import { type ServiceMetrics } from '../service-metrics';
import { type Cancellation } from '../sessions/cancellation';
import { type HandOver } from '../sessions/hand-over';
import { type WorkerDirectory } from '../workers/worker-directory';
import { type Duty } from './duties';
import { ExpiredLeases } from './expired-leases';
import { type LeftMessages } from './left-messages';
import { OverdueCalls } from './overdue-calls';
import { UnpublishedEvents } from './unpublished-events';
import { UnsentCalls } from './unsent-calls';

export interface SweepParts {
  readonly pool: StorePool;
  readonly connection: MessagingConnection;
  readonly handOver: HandOver;
  readonly cancellation: Cancellation;
  readonly forwarder: ResultForwarder;
  readonly admission: Pick<Admission, 'sweep'>;
  readonly ended: Pick<EndedCalls, 'giveUp' | 'closed'>;
  readonly workers: WorkerDirectory;
  readonly redrives: Pick<Redrives, 'sweep'>;
  readonly publisher: EventPublisher;
  readonly metrics: ServiceMetrics;
  readonly streams: Pick<StreamWatch, 'look'>;
  readonly claims: Pick<FalseClaims, 'ended'>;
  readonly unserved: Pick<UnservedTools, 'look'>;
  readonly left: Pick<LeftMessages, 'look'>;
  readonly secret: string;
  readonly sweepMs: number;
  readonly logger: Logger;
}

export interface SweepPlan {
  /** What PostgreSQL answers by itself, in one line. */
  readonly runs: readonly Duty[];
  /** What waits for JetStream, in lines that do not wait for each other. */
  readonly streams: readonly (readonly Duty[])[];
  /** Told when NATS is there again. */
  readonly reconnected: () => void;
}

/** For how long a dead letter can be looked at and sent again. */
const KEPT_MS = 30 * 24 * 3_600_000;

/** What is looked for in every sweep. */
export function planSweeps(parts: SweepParts): SweepPlan {
  const { pool, sweepMs, handOver, cancellation, admission, ended, streams, redrives, unserved, left } =
    parts;
  const leases = new ExpiredLeases(parts);
  const overdue = new OverdueCalls(parts);
  const notStarted = new NotStartedCalls(parts);
  const results = new WaitingResults(parts);
  const unsent = new UnsentCalls(parts);
  const events = new UnpublishedEvents(parts);
  const dispatchStale = async (): Promise<void> => {
    for (const queued of await touchStaleQueued(pool, sweepMs)) handOver.dispatch(queued);
  };
  const closeLeft = async (): Promise<void> => {
    if ((await closeLeftCalls(pool)) > 0) ended.closed();
  };
  return {
    // In this order because each may have work for the next: a run taken back is queued, then handed to an owner.
    runs: [
      ['expired leases', () => leases.sweep()],
      ['overdue cancels', () => cancellation.endOverdue()],
      ['waiting invocations', dispatchStale],
      ['overdue calls', (signal) => overdue.sweep(signal)],
      ['calls not begun', (signal) => notStarted.sweep(signal)],
      ['calls nobody waits for', closeLeft],
      ['waiting calls', () => admission.sweep()],
      ['unapplied results', (signal) => results.forward(signal)],
    ],
    streams: [
      [
        ['streams', () => streams.look()],
        ['unsent calls', () => unsent.sweep()],
        ['redrives', () => redrives.sweep()],
        ['old dead letters', () => forgetDeadLetters(pool, KEPT_MS)],
      ],
      [['tools nobody serves', () => unserved.look()]],
      [['calls left in their queue', () => left.look()]],
      [['unpublished events', (signal) => events.sweep(signal)]],
      // Beside the look at those that were at work: they must not wait for a walk over all there are.
      [['events of all sessions', (signal) => events.sweepEverywhere(signal)]],
    ],
    reconnected: () => {
      leases.reconnected();
      unsent.reconnected();
    },
  };
}
