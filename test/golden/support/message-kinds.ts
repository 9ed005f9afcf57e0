import {
  againCallSchema,
  againVerdictSchema,
  addToMemorySchema,
  appendedSchema,
  appendUnitSchema,
  artifactVersionSchema,
  artifactKeySchema,
  type ArtifactVerb,
  askServedSchema,
  askStoredSchema,
  askWorkersSchema,
  callRequestSchema,
  type CallVerb,
  begunToolSchema,
  beginToolSchema,
  cancelInvocationSchema,
  cancelledCallsSchema,
  claimedSchema,
  claimSchema,
  createSessionSchema,
  databaseClockSchema,
  deadLetterDetailsSchema,
  deadLetterKeySchema,
  deadLetterPageSchema,
  type DeadLetterVerb,
  deleteSessionSchema,
  eventMessageSchema,
  eventPageSchema,
  findArtifactSchema,
  foundMemoriesSchema,
  getSessionSchema,
  inspectedInvocationSchema,
  inspectInvocationSchema,
  invocationPageSchema,
  invocationStateSchema,
  listArtifactsSchema,
  listDeadLettersSchema,
  listInvocationsSchema,
  listSessionsSchema,
  type MemoryVerb,
  modelHoldSchema,
  openedQueueSchema,
  openQueueSchema,
  partialFrameSchema,
  readEventsSchema,
  readInvocationSchema,
  recordArtifactSchema,
  redriveSchema,
  releaseSchema,
  renewedSchema,
  renewSchema,
  rewindSessionSchema,
  rpcReplySchema,
  runnerAnnouncementSchema,
  runPointerSchema,
  searchMemorySchema,
  sessionHeadSchema,
  sessionSchema,
  type SessionVerb,
  submitSchema,
  storedVerdictSchema,
  submittedSchema,
  subjects,
  takenResultSchema,
  toolCallMessageSchema,
  toolOutcomeSchema,
  toolProgressSchema,
  toolResultMessageSchema,
  returnCallSchema,
  returnedCallSchema,
  toolServedSchema,
  type ToolVerb,
  waitingCallsSchema,
  workerAnnouncementSchema,
  workMessageSchema,
  workReplySchema,
  writeEventSchema,
} from '@skein/contracts';
import { z } from 'zod';

/** What is asked, and what is answered to it. */
type Exchange = readonly [request: z.ZodType, answer: z.ZodType];

// By verb, so that a new one does not compile without its shapes.
const session: Record<SessionVerb, Exchange> = {
  submit: [submitSchema, submittedSchema],
  append: [appendUnitSchema, appendedSchema],
  claim: [claimSchema, claimedSchema],
  renew: [renewSchema, renewedSchema],
  release: [releaseSchema, z.unknown()],
  create: [createSessionSchema, sessionSchema],
  get: [getSessionSchema, sessionSchema.nullish()],
  list: [listSessionsSchema, z.array(sessionSchema)],
  delete: [deleteSessionSchema, z.unknown()],
  write: [writeEventSchema, sessionHeadSchema],
  rewind: [rewindSessionSchema, sessionHeadSchema],
  cancel: [cancelInvocationSchema, inspectedInvocationSchema],
  events: [readEventsSchema, eventPageSchema],
  invocation: [readInvocationSchema, invocationStateSchema],
  inspect: [inspectInvocationSchema, inspectedInvocationSchema],
  invocations: [listInvocationsSchema, invocationPageSchema],
};
const tool: Record<ToolVerb, Exchange> = {
  begin: [beginToolSchema, begunToolSchema],
  clock: [z.unknown(), databaseClockSchema],
};
const memory: Record<MemoryVerb, Exchange> = {
  add: [addToMemorySchema, z.unknown()],
  search: [searchMemorySchema, foundMemoriesSchema],
};
const artifact: Record<ArtifactVerb, Exchange> = {
  record: [recordArtifactSchema, artifactVersionSchema],
  find: [findArtifactSchema, artifactVersionSchema.nullish()],
  list: [listArtifactsSchema, z.array(z.string())],
  versions: [artifactKeySchema, z.array(z.number())],
  describe: [artifactKeySchema, z.array(artifactVersionSchema)],
  delete: [artifactKeySchema, z.array(z.string())],
};

const call: Record<CallVerb, Exchange> = {
  ...tool,
  served: [askServedSchema, toolServedSchema],
  stored: [askStoredSchema, storedVerdictSchema],
  return: [returnCallSchema, returnedCallSchema],
  again: [againCallSchema, againVerdictSchema],
  'artifact-record': ofCall(artifact.record),
  'artifact-find': ofCall(artifact.find),
  'artifact-list': ofCall(artifact.list),
  'artifact-versions': ofCall(artifact.versions),
  'artifact-describe': ofCall(artifact.describe),
  'artifact-delete': ofCall(artifact.delete),
  'memory-search': ofCall(memory.search),
};
const deadLetter: Record<DeadLetterVerb, Exchange> = {
  list: [listDeadLettersSchema, deadLetterPageSchema],
  inspect: [deadLetterKeySchema, deadLetterDetailsSchema],
  redrive: [redriveSchema, z.unknown()],
  discard: [deadLetterKeySchema, z.unknown()],
};
const QUEUE = 'rpc.queue';

/** A kind of message by its name: the subject's, and that of the variant where one subject carries several. */
export const messageKinds: ReadonlyMap<string, z.ZodType> = new Map([
  ...exchanges(session, subjects.sessionRpc),
  ...exchanges(tool, subjects.toolRpc),
  ...exchanges(call, subjects.callRpc),
  ...exchanges(deadLetter, subjects.deadLetterRpc),
  ...exchanges(memory, subjects.memoryRpc),
  [QUEUE, openQueueSchema],
  [answerTo(QUEUE), answerOf(openedQueueSchema)],
  ...exchanges(artifact, subjects.artifactRpc),
  ['rpc.error', rpcReplySchema],
  ...variantsOf('work', workMessageSchema).flatMap(([name, schema]) => [
    [name, schema] as const,
    [answerTo(name), answerOf(workReplySchema)] as const,
  ]),
  ...variantsOf('partial', partialFrameSchema),
  ...toolOutcomeSchema.options.map(
    ({ shape }) => [`result.${shape.kind.value}`, toolResultMessageSchema] as const,
  ),
  ['answer', toolResultMessageSchema],
  [answerTo('answer'), answerOf(takenResultSchema)],
  [subjects.runnerAnnouncement, runnerAnnouncementSchema],
  [subjects.workerAnnouncement, workerAnnouncementSchema],
  [subjects.askWorkers, askWorkersSchema],
  [subjects.modelHold, modelHoldSchema],
  [subjects.waitingCalls, waitingCallsSchema],
  ['progress', toolProgressSchema],
  [subjects.cancelledCalls, cancelledCallsSchema],
  ['run', runPointerSchema],
  ['tool', toolCallMessageSchema],
  ['event', eventMessageSchema],
]);

/** The kind a message is of; nothing for one that is not of this product, as those of the server itself. */
export function kindOf(subject: string, body: unknown): string | undefined {
  if (messageKinds.has(subject)) return subject;
  if (subject.startsWith(`${QUEUE}.`)) return QUEUE;
  if (subject.startsWith(`${subjects.workerAnnouncement}.`)) return subjects.workerAnnouncement;
  const tree = subject.slice(0, subject.indexOf('.'));
  // Asked of one process what may be asked of any.
  if (tree === 'stored') return subjects.callRpc('stored');
  const { kind, outcome } = (body ?? {}) as { kind?: string; outcome?: { kind: string } };
  const name = [tree, tree === 'result' ? outcome?.kind : kind].filter(Boolean).join('.');
  return messageKinds.has(name) ? name : undefined;
}

export function answerTo(kind: string): string {
  return `${kind}.answer`;
}

/** What a worker asks with the ticket of a call. */
function ofCall([request, answer]: Exchange): Exchange {
  return [callRequestSchema(request), answer];
}

function exchanges<Verb extends string>(
  shapes: Record<Verb, Exchange>,
  subjectOf: (verb: Verb) => string,
): (readonly [string, z.ZodType])[] {
  // The keys of a record are its verbs.
  return (Object.entries(shapes) as [Verb, Exchange][]).flatMap(([verb, [request, answer]]) => [
    [subjectOf(verb), request] as const,
    [answerTo(subjectOf(verb)), answerOf(answer)] as const,
  ]);
}

function answerOf(value: z.ZodType): z.ZodType {
  return z.object({ ok: z.literal(true), value: value });
}

function variantsOf(
  tree: string,
  union: typeof workMessageSchema | typeof partialFrameSchema,
): (readonly [string, z.ZodType])[] {
  return union.options.map(({ shape }) => [`${tree}.${shape.kind.value}`, union] as const);
}
