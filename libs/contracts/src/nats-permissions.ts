import { subjects, type SessionVerb, streams, type StreamName } from './subjects';
import { subjectToken } from './subject-token';
import {
  everyQueueRequest,
  queueRequest,
  type QueueConsumer,
  resultsQueue,
  runsQueue,
  toolPriorities,
  toolQueue,
} from './work-queues';

/** A service by the name of its NATS user. */
export type NatsService = 'session-svc' | 'runner' | 'gateway';

/** What a user may send and hear, as subjects with wildcards; anything else the server refuses. */
export interface NatsGrant {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** Tool workers with credentials of their own: these pools, and no others. */
export interface WorkerUser {
  readonly user: string;
  readonly pools: readonly string[];
}

const streamNames = Object.keys(streams) as StreamName[]; // Its keys are the names.
const readers: readonly SessionVerb[] = ['get', 'list', 'events', 'invocation', 'inspect', 'invocations'];
const sessionVerbs = (...verbs: SessionVerb[]): string[] => verbs.map(subjects.sessionRpc);
/** Whether JetStream answers: what `/ready` asks. */
const health = '$JS.API.STREAM.INFO.TOOLS';
const ids = '*.*.*';

/** Where answers to a user's requests go: nobody else may listen there. */
export function inboxPrefixOf(user: string): string {
  return `_INBOX_${subjectToken(user)}`;
}

/** What each service may do. `workers` are those session-svc answers. */
export function serviceGrant(service: NatsService): NatsGrant {
  const { publish, subscribe } = grants[service];
  return { publish, subscribe: [...subscribe, `${inboxPrefixOf(service)}.>`] };
}

/**
 * What a worker may do: take calls of its pools, give results, and ask about a call it holds; others hear its announcements and
 * results as its own (`subjectBehindBorder`). It may create no consumer,
 * since a consumer delivers to any subject its creator names, past all that is refused here.
 */
export function workerGrant({ user, pools }: WorkerUser): NatsGrant {
  const queues = pools.flatMap((pool) => toolPriorities.map((priority) => toolQueue(pool, priority)));
  return {
    publish: [
      ...queues.flatMap(takes),
      ...queues.map(queueRequest),
      subjects.everyResult,
      subjects.everyAnswer,
      subjects.everyStored,
      subjects.everyProgress,
      subjects.workerAnnouncement,
      subjects.modelHold,
      'rpc.call.*',
      health,
    ],
    subscribe: [subjects.cancelledCalls, subjects.askWorkers, subjects.modelHold, `${inboxPrefixOf(user)}.>`],
  };
}

/** Pulling from a consumer, settling what came, and seeing how it stands. Servers with domains put two tokens first. */
function takes({ stream, durable }: QueueConsumer): string[] {
  return [
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
    `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
    `$JS.ACK.${stream}.${durable}.>`,
    `$JS.ACK.*.*.${stream}.${durable}.>`,
  ];
}

/** Creating a consumer, or bringing it up to date: its name and filter are part of the subject. */
function creates({ stream, durable, filterSubject }: QueueConsumer): string {
  return `$JS.API.CONSUMER.CREATE.${stream}.${durable}.${filterSubject}`;
}

const grants: Readonly<Record<NatsService, NatsGrant>> = {
  // It alone makes streams and consumers.
  'session-svc': {
    publish: [
      `event.${ids}`,
      `partial.${ids}`,
      'work.*',
      'run.*',
      'tool.*.*',
      subjects.cancelledCalls,
      subjects.askWorkers,
      subjects.waitingCalls,
      ...['CREATE', 'INFO', 'UPDATE'].flatMap((verb) =>
        streamNames.map((name) => `$JS.API.STREAM.${verb}.${name}`),
      ),
      // `skein restored`, which runs as it.
      '$JS.API.STREAM.PURGE.RUNS',
      '$JS.API.STREAM.PURGE.TOOLS',
      '$JS.API.INFO',
      '$JS.API.STREAM.LIST',
      ...['RUNS', 'TOOLS', 'RESULTS'].map((name) => `$JS.API.CONSUMER.LIST.${name}`),
      ...['RUNS', 'TOOLS', 'RESULTS', 'ADVISORIES'].map((name) => `$JS.API.STREAM.MSG.GET.${name}`),
      // A call that JetStream gave up lies there for ever, unless it is taken out.
      '$JS.API.STREAM.MSG.DELETE.TOOLS',
      creates(resultsQueue),
      creates(runsQueue),
      '$JS.API.CONSUMER.INFO.RUNS.*',
      '$JS.API.CONSUMER.CREATE.TOOLS.*.tool.*.*',
      '$JS.API.CONSUMER.INFO.TOOLS.*',
      ...takes(resultsQueue),
      '$JS.API.CONSUMER.CREATE.ADVISORIES.>',
      ...takes({ stream: 'ADVISORIES', durable: '*', filterSubject: '>' }),
      // Answers, to those who may ask; behind `_R_` are the workers, in accounts of their own.
      ...['gateway', 'runner'].map((user) => `${inboxPrefixOf(user)}.>`),
      '_R_.>',
    ],
    subscribe: [
      ...['session', 'artifact', 'memory', 'tool', 'call', 'dead-letter'].map((tree) => `rpc.${tree}.*`),
      everyQueueRequest,
      subjects.everyStored,
      subjects.runnerAnnouncement,
      subjects.workerAnnouncement,
      subjects.everyWorkerAnnouncement,
      subjects.waitingCalls,
      subjects.everyProgress,
    ],
  },
  runner: {
    publish: [
      ...sessionVerbs('append', 'claim', 'renew', 'release', 'events'),
      'rpc.artifact.*',
      'rpc.memory.*',
      queueRequest(runsQueue),
      `partial.${ids}`,
      subjects.runnerAnnouncement,
      subjects.modelHold,
      subjects.cancelledCalls,
      ...takes(runsQueue),
      health,
      // The answer to what is handed over, and to the results of workers, who are behind `_R_`.
      `${inboxPrefixOf('session-svc')}.>`,
      '_R_.>',
    ],
    subscribe: ['work.*', subjects.everyAnswer, subjects.modelHold],
  },
  gateway: {
    publish: [
      ...sessionVerbs('submit', 'create', 'delete', 'write', 'rewind', 'cancel', ...readers),
      'rpc.dead-letter.*',
      'rpc.artifact.*',
      'rpc.memory.*',
      health,
    ],
    subscribe: [`event.${ids}`, `partial.${ids}`, subjects.runnerAnnouncement, subjects.workerAnnouncement],
  },
};
