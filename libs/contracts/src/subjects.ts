import type { SessionKey } from './ids';
import { subjectToken } from './subject-token';
import type { ToolPriority } from './tool-call';

/** `rpc.session.<verb>`: what session-svc answers about sessions and their runs. */
export type SessionVerb =
  | 'submit'
  | 'append'
  | 'claim'
  | 'renew'
  | 'release'
  | 'create'
  | 'get'
  | 'list'
  | 'delete'
  | 'write'
  | 'rewind'
  | 'cancel'
  | 'events'
  | 'invocation'
  | 'inspect'
  | 'invocations';
/** `rpc.tool.<verb>`: what workers of an earlier version ask. */
export type ToolVerb = 'begin' | 'clock';
/** `rpc.call.<verb>`: what workers ask, for a call that they have; all that their credentials let them ask. */
export type CallVerb =
  ToolVerb | 'served' | 'stored' | 'return' | 'again' | `artifact-${ArtifactVerb}` | 'memory-search';
/** `rpc.dead-letter.<verb>`: what gateways ask about calls the plane ended. */
export type DeadLetterVerb = 'list' | 'inspect' | 'redrive' | 'discard';
/** `rpc.memory.<verb>`. */
export type MemoryVerb = 'add' | 'search';
/** `rpc.artifact.<verb>`: about an artifact's versions; their bytes are in the artifact store. */
export type ArtifactVerb = 'record' | 'find' | 'list' | 'versions' | 'describe' | 'delete';

function sessionPath({ appName, userId, sessionId }: SessionKey): string {
  return `${subjectToken(appName)}.${subjectToken(userId)}.${subjectToken(sessionId)}`;
}

/** The only place with subject strings. Streams capture nothing below the first tokens in `coreTrees`. */
export const subjects = {
  sessionRpc: (verb: SessionVerb) => `rpc.session.${verb}`,
  artifactRpc: (verb: ArtifactVerb) => `rpc.artifact.${verb}`,
  toolRpc: (verb: ToolVerb) => `rpc.tool.${verb}`,
  callRpc: (verb: CallVerb) => `rpc.call.${verb}`,
  deadLetterRpc: (verb: DeadLetterVerb) => `rpc.dead-letter.${verb}`,
  memoryRpc: (verb: MemoryVerb) => `rpc.memory.${verb}`,
  work: (runnerId: string) => `work.${subjectToken(runnerId)}`,
  runnerAnnouncement: 'announce.runner',
  workerAnnouncement: 'announce.worker',
  everyWorkerAnnouncement: 'announce.worker.>',
  askWorkers: 'announce.ask-workers',
  waitingCalls: 'announce.waiting-calls',
  modelHold: 'announce.model-hold',
  run: (bucket: number) => `run.${bucket}`,
  everyRun: 'run.>',
  tool: (pool: string, priority: ToolPriority = 'normal') => `tool.${subjectToken(pool)}.${priority}`,
  result: (bucket: number) => `result.${bucket}`,
  everyResult: 'result.*',
  /** Where a runner is asked to take a result that it waits for: of what it has stored then, no stream need know. */
  answer: (runnerId: string) => `answer.${subjectToken(runnerId)}`,
  everyAnswer: 'answer.*',
  /** Where a session-svc is asked whether a call is stored that it sent while it was storing it. */
  stored: (process: string) => `stored.${subjectToken(process)}`,
  everyStored: 'stored.*',
  progress: (bucket: number) => `progress.${bucket}`,
  everyProgress: 'progress.*',
  event: (key: SessionKey) => `event.${sessionPath(key)}`,
  partial: (key: SessionKey) => `partial.${sessionPath(key)}`,
  cancelledCalls: 'cancel.calls',
} as const;

/** What changes nothing, and is therefore also answered beside NATS while that is away. */
export const readSubjects: readonly string[] = [
  ...(['get', 'list', 'events', 'invocation', 'inspect', 'invocations'] as const).map(subjects.sessionRpc),
  ...(['find', 'list', 'versions', 'describe'] as const).map(subjects.artifactRpc),
  ...(['list', 'inspect'] as const).map(subjects.deadLetterRpc),
];

/** Names of the JetStream streams and what each captures. */
export const streams = {
  RUNS: ['run.>'],
  TOOLS: ['tool.>'],
  RESULTS: ['result.>'],
  EVENTS: ['event.>'],
  // Only what tells of a lost message: `CONSUMER.>` would also store every ack, nak and new consumer.
  ADVISORIES: [
    '$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.>',
    '$JS.EVENT.ADVISORY.CONSUMER.MSG_TERMINATED.>',
  ],
} as const;
export type StreamName = keyof typeof streams;

/** First tokens of request-reply and core subjects; a stream that captured one would answer requests with PubAcks. */
export const coreTrees = [
  'rpc',
  'work',
  'partial',
  'announce',
  'cancel',
  'progress',
  'answer',
  'stored',
] as const;

/** Buckets spread one work queue over subjects; FNV-1a keeps a key in its bucket on every process. */
export function bucketOf(key: string, buckets = 16): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % buckets;
}
