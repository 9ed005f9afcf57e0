export { errorKindSchema, wireErrorSchema, AdkError, type ErrorKind, type WireError } from './adk-error';
export { advisorySchema, type Advisory } from './advisory';
export {
  finishSchema,
  unitEventSchema,
  appendUnitSchema,
  appendedSchema,
  type AnsweredCall,
  type CallContext,
  type Finish,
  type UnitEvent,
  type AppendUnit,
  type Appended,
} from './append-unit';
export {
  artifactKeySchema,
  recordArtifactSchema,
  artifactVersionSchema,
  findArtifactSchema,
  listArtifactsSchema,
  type ArtifactKey,
  type RecordArtifact,
  type ArtifactVersion,
  type FindArtifact,
  type ListArtifacts,
} from './artifact';
export {
  functionCallSchema,
  functionResponseSchema,
  blobSchema,
  partSchema,
  contentSchema,
  type ContentLike,
  type PartLike,
  type FunctionCall,
  type FunctionResponse,
  type Blob,
  type Part,
  type Content,
} from './content';
export {
  deadLetterSchema,
  deadLetterDetailsSchema,
  deadLetterKeySchema,
  deadLetterPageSchema,
  deadLetterPositionSchema,
  deadLetterStatusSchema,
  listDeadLettersSchema,
  redriveSchema,
  type DeadLetter,
  type DeadLetterDetails,
  type DeadLetterKey,
  type DeadLetterPage,
  type DeadLetterPosition,
  type DeadLetterStatus,
  type ListDeadLetters,
  type Redrive,
} from './dead-letter';
export { errorOutcomes, type Settlement, type ErrorOutcome } from './error-outcomes';
export {
  eventActionsSchema,
  eventCompactionSchema,
  usageMetadataSchema,
  eventSchema,
  type EventCompaction,
  type EventActions,
  type UsageMetadata,
  type Event,
} from './event';
export {
  invocationInputSchema,
  openCallSchema,
  handoverPatienceMs,
  handoverSchema,
  type InvocationInput,
  type OpenCall,
  type Handover,
} from './handover';
export {
  appNameSchema,
  userIdSchema,
  sessionIdSchema,
  sessionKeySchema,
  invocationIdSchema,
  dispatchIdSchema,
  type SessionKey,
} from './ids';
export {
  invocationStatusSchema,
  invocationErrorSchema,
  readInvocationSchema,
  cancelInvocationSchema,
  CANCELLED,
  invocationStateSchema,
  segmentStateSchema,
  invocationDetailsSchema,
  inspectInvocationSchema,
  inspectedInvocationSchema,
  listInvocationsSchema,
  invocationPageSchema,
  type InvocationStatus,
  type InvocationError,
  type ReadInvocation,
  type CancelInvocation,
  type InvocationState,
  type SegmentState,
  type InvocationDetails,
  type InspectInvocation,
  type InspectedInvocation,
  type ListInvocations,
  type InvocationPage,
} from './invocation';
export {
  jsonObjectSchema,
  type JsonValue,
  type JsonObject,
  MAX_JSON_DEPTH,
  MAX_JSON_VALUES,
  MAX_RESULT_DEPTH,
  MAX_WIRE_DEPTH,
} from './json';
export { JsonScan } from './json-scan';
export { parseChecked } from './parse-checked';
export { modelHoldSchema, type ModelHold } from './model-hold';
export {
  memoryEntrySchema,
  rememberedEventSchema,
  addToMemorySchema,
  searchMemorySchema,
  foundMemoriesSchema,
  type MemoryEntry,
  type RememberedEvent,
  type AddToMemory,
  type SearchMemory,
  type FoundMemories,
} from './memory';
export { laneRights, type LaneRights, type LaneService, namesSubject } from './lane-rights';
export {
  inboxPrefixOf,
  serviceGrant,
  workerGrant,
  type NatsGrant,
  type NatsService,
  type WorkerUser,
} from './nats-permissions';
export { NATS_ADMIN, natsServerConfig, natsServices, type NatsUsers } from './nats-server-config';
export { openedQueueSchema, openQueueSchema } from './open-queue';
export { partialFrameSchema, type PartialFrame } from './partial-frame';
export { poolNameSchema } from './pool-name';
export { backOff, isTransient, retryTransient, type RetryOptions } from './retry-transient';
export { rpcReplySchema, type RpcReply } from './rpc-reply';
export { runAgentRequestSchema, type RunAgentRequest } from './run-agent-request';
export { runConfigSchema, type RunConfig } from './run-config';
export {
  runnerAnnouncementSchema,
  runPointerSchema,
  claimSchema,
  claimedSchema,
  renewSchema,
  renewedSchema,
  releaseSchema,
  type RunnerAnnouncement,
  type RunPointer,
  type Claim,
  type Claimed,
  type Renew,
  type Renewed,
  type Release,
} from './runner-lease';
export {
  sessionSchema,
  createSessionSchema,
  getSessionSchema,
  listSessionsSchema,
  deleteSessionSchema,
  writeEventSchema,
  rewindSessionSchema,
  sessionHeadSchema,
  type Session,
  type CreateSession,
  type GetSession,
  type ListSessions,
  type DeleteSession,
  type WriteEvent,
  type RewindSession,
  type SessionHead,
} from './session';
export { stepRecordSchema, type StepRecord } from './step-record';
export {
  storedEventSchema,
  eventMessageSchema,
  readEventsSchema,
  eventPageSchema,
  type StoredEvent,
  type EventMessage,
  type ReadEvents,
  type EventPage,
} from './stored-event';
export { subjectToken, fromSubjectToken } from './subject-token';
export {
  readSubjects,
  subjects,
  streams,
  coreTrees,
  bucketOf,
  type SessionVerb,
  type ArtifactVerb,
  type CallVerb,
  type MemoryVerb,
  type DeadLetterVerb,
  type ToolVerb,
  type StreamName,
} from './subjects';
export {
  onBusySchema,
  submitSchema,
  submittedSchema,
  type OnBusy,
  type Submit,
  type Submitted,
} from './submit';
export {
  callProgressSchema,
  toolProgressSchema,
  type CallProgress,
  type ToolProgress,
} from './tool-progress';
export { announcerOf, senderOfResult, workerOf, type Announcer } from './sender';
export {
  cancelledCallsSchema,
  toolPolicySchema,
  callRowSchema,
  ticketSchema,
  toolCallMessageSchema,
  type ToolPolicy,
  type ToolPriority,
  toolPrioritySchema,
  type CallRow,
  type Ticket,
  type ToolCallMessage,
} from './tool-call';
export { toolConfirmationSchema, type ToolConfirmation } from './tool-confirmation';
export {
  toolOutcomeSchema,
  toolExecutionSchema,
  toolResultMessageSchema,
  unstorablePart,
  attemptOf,
  TAKEN_WITHIN_MS,
  takenResultSchema,
  type TakenResult,
  type ToolOutcome,
  type ToolExecution,
  type ToolResultMessage,
} from './tool-result';
export { workMessageSchema, workReplySchema, type WorkMessage, type WorkReply } from './work-message';
export {
  everyQueueRequest,
  queueOfRequest,
  queueRequest,
  CALL_DELIVERIES,
  pointerBounds,
  type QueueBounds,
  advisoriesQueue,
  resultsQueue,
  runsQueue,
  toolPriorities,
  toolQueue,
  type QueueConsumer,
} from './work-queues';
export { spanIdOf, TRACE_STEP, traceStepOf } from './trace-step';
export {
  type LeftBehind,
  announcedAppSchema,
  announcedPoolSchema,
  askWorkersSchema,
  workerAnnouncementSchema,
  type AnnouncedApp,
  type AnnouncedPool,
  type WorkerAnnouncement,
  waitingCallsSchema,
} from './worker-announcement';
export * from './worker-asks';
