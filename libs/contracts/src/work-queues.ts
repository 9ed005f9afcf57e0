import { type StreamName, subjects } from './subjects';
import { fromSubjectToken, subjectToken } from './subject-token';
import { type ToolPriority, toolPrioritySchema } from './tool-call';

/** The shared consumer of one work queue: whoever may pull from it takes its messages. */
export interface QueueConsumer {
  readonly stream: StreamName;
  readonly durable: string;
  readonly filterSubject: string;
}

/** How long the server waits for word of a message, and how often it delivers one. */
export interface QueueBounds {
  readonly ackWaitMs: number;
  readonly maxDeliver: number;
}

/** Far above any tool's own attempts, which are counted per call: the queue must not give a call up by itself. */
export const CALL_DELIVERIES = 100;

/** Of pointers: each goes round until some runner has credit; the sweeper makes a new one of what is left after that. */
export const pointerBounds: QueueBounds = { ackWaitMs: 10_000, maxDeliver: 1_000 };

/** Each has a queue in every pool, of which one is filled: what goes first is decided before a call is sent (ADR 12). */
export const toolPriorities: readonly ToolPriority[] = toolPrioritySchema.options;

/** Pointers to queued invocations, for runners. */
export const runsQueue: QueueConsumer = {
  stream: 'RUNS',
  durable: 'runners',
  filterSubject: subjects.everyRun,
};

/** What tools gave, for session-svc. */
export const resultsQueue: QueueConsumer = {
  stream: 'RESULTS',
  durable: 'session-svc',
  filterSubject: 'result.>',
};

/** What JetStream tells of messages it gave up, for session-svc. */
export const advisoriesQueue: QueueConsumer = {
  stream: 'ADVISORIES',
  durable: 'session-svc',
  filterSubject: '$JS.EVENT.ADVISORY.CONSUMER.>',
};

/**
 * The calls of one pool. All are sent as `normal`; the other two are what workers of an earlier version have made and pull from
 * beside it. No token has a `-` before its first `_`, so that no two pools share a name.
 */
export function toolQueue(pool: string, priority: ToolPriority = 'normal'): QueueConsumer {
  const token = subjectToken(pool);
  return {
    stream: 'TOOLS',
    durable: priority === 'normal' ? `tools_${token}` : `tools-${priority}_${token}`,
    filterSubject: subjects.tool(pool, priority),
  };
}

/** Every request to have the consumer of a queue made. */
export const everyQueueRequest = 'rpc.queue.>';

/** Where the consumer of this queue is asked for: who may pull from it may ask there, and nowhere else. */
export function queueRequest({ stream, filterSubject }: QueueConsumer): string {
  const parts = stream === 'TOOLS' ? filterSubject.split('.').slice(1) : [];
  return ['rpc.queue', stream, ...parts].join('.');
}

/** The queue that a request is about; undefined when there is none of that name. */
export function queueOfRequest(subject: string): QueueConsumer | undefined {
  const [, , stream, pool, last] = subject.split('.');
  if (stream === 'RUNS') return runsQueue;
  const priority = toolPrioritySchema.safeParse(last);
  if (stream !== 'TOOLS' || pool === undefined || !priority.success) return undefined;
  return toolQueue(fromSubjectToken(pool), priority.data);
}
