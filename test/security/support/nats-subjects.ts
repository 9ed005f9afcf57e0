import { streams, toolQueue, type StreamName } from '@skein/contracts';

const streamNames = Object.keys(streams) as StreamName[]; // Its keys are the names.
const durables: readonly (readonly [StreamName | 'OTHER', string])[] = [
  ['RUNS', 'runners'],
  ['RESULTS', 'session-svc'],
  ['ADVISORIES', 'session-svc'],
  ['EVENTS', 'billing'],
  ['TOOLS', toolQueue('a').durable],
  ['TOOLS', toolQueue('a', 'high').durable],
  ['TOOLS', toolQueue('b').durable],
  ['TOOLS', toolQueue('b', 'low').durable],
  ['OTHER', 'tools_a'],
];
const sessionVerbs = [
  ...['submit', 'append', 'claim', 'renew', 'release', 'create', 'get', 'list', 'delete', 'write', 'rewind'],
  ...['cancel', 'events', 'invocation', 'inspect', 'invocations'],
];

/** Every kind of subject there is on a server of ours, each as somebody would send to it. */
export const concreteSubjects: readonly string[] = [
  ...sessionVerbs.map((verb) => `rpc.session.${verb}`),
  ...['record', 'find', 'list', 'versions', 'describe', 'delete'].map((verb) => `rpc.artifact.${verb}`),
  ...['rpc.memory.add', 'rpc.memory.search', 'rpc.tool.begin', 'rpc.tool.clock'],
  ...['rpc.call.begin', 'rpc.call.artifact', 'rpc.dead-letter.list'],
  ...['rpc.queue.RUNS', 'rpc.queue.TOOLS.a.normal', 'rpc.queue.TOOLS.b.normal'],
  ...['work.runner-1', 'run.3', 'result.3', 'progress.3', 'answer.runner-1', 'cancel.calls'],
  ...['tool.a.high', 'tool.a.normal', 'tool.b.normal', 'tool.b.low'],
  ...['event.app.ann.s1', 'partial.app.ann.s1'],
  ...['announce.worker.worker-a.a', 'announce.worker.worker-b.b', 'result.3.worker-a'],
  ...['announce.runner', 'announce.worker', 'announce.ask-workers', 'announce.model-hold'],
  ...['gateway', 'runner', 'session-svc', 'worker-a', 'worker-b'].map((user) => `_INBOX_${user}.x.1`),
  ...['_INBOX.x.1', '_R_.x.1', 'anything.else', '$SYS.REQ.SERVER.PING', '$SYS.REQ.ACCOUNT.SKEIN.CONNZ'],
  ...['$JS.API.INFO', '$JS.API.STREAM.NAMES', '$JS.API.STREAM.LIST', '$JS.API.META.LEADER.STEPDOWN'],
  ...[...streamNames, 'OTHER'].flatMap(streamRequests),
  ...durables.flatMap(consumerRequests),
];

/** What somebody would listen to who wants to hear more than is theirs. */
export const wideSubjects: readonly string[] = [
  ...['>', '*.>', 'rpc.>', 'work.>', 'run.>', 'tool.>', 'tool.a.>', 'result.>', 'event.>', 'partial.>'],
  ...['progress.>', 'answer.>', 'announce.>', '_INBOX.>', '_INBOX_runner.>', '_INBOX_worker-b.>', '_R_.>'],
  ...['$JS.>', '$JS.API.>', '$JS.ACK.>', '$JS.EVENT.>', '$SYS.>'],
];

/** Whether a server lets a grant stand for it: a wildcard that is asked for is to it a token like others. */
export function isWithin(grant: string, subject: string): boolean {
  const [wide, narrow] = [grant.split('.'), subject.split('.')];
  for (const [i, token] of wide.entries()) {
    if (token === '>') return narrow.length > i;
    if (narrow[i] === undefined || (token !== '*' && token !== narrow[i])) return false;
  }
  return wide.length === narrow.length;
}

function streamRequests(stream: string): string[] {
  const verbs = [
    'CREATE',
    'UPDATE',
    'DELETE',
    'INFO',
    'PURGE',
    'MSG.GET',
    'MSG.DELETE',
    'SNAPSHOT',
    'RESTORE',
  ];
  return [
    ...verbs.map((verb) => `$JS.API.STREAM.${verb}.${stream}`),
    `$JS.API.DIRECT.GET.${stream}`,
    `$JS.API.CONSUMER.LIST.${stream}`,
    `$JS.API.CONSUMER.NAMES.${stream}`,
    `$JS.API.CONSUMER.CREATE.${stream}`,
  ];
}

function consumerRequests([stream, durable]: readonly [string, string]): string[] {
  const verbs = ['MSG.NEXT', 'INFO', 'DELETE', 'DURABLE.CREATE', 'PAUSE', 'UNPIN', 'RESET'];
  return [
    ...verbs.map((verb) => `$JS.API.CONSUMER.${verb}.${stream}.${durable}`),
    `$JS.API.CONSUMER.CREATE.${stream}.${durable}.${filterOf(stream, durable)}`,
    `$JS.API.CONSUMER.CREATE.${stream}.${durable}.>`,
    `$JS.ACK.${stream}.${durable}.1.2.3.4.5`,
    `$JS.ACK._.hash.${stream}.${durable}.1.2.3.4.5`,
  ];
}

function filterOf(stream: string, durable: string): string {
  if (stream === 'TOOLS')
    return `tool.${durable.replace(/^.*_/, '')}.${/^tools-(\w+)_/.exec(durable)?.[1] ?? 'normal'}`;
  return { RUNS: 'run.>', RESULTS: 'result.>', EVENTS: 'event.>' }[stream] ?? '>';
}
