import type {
  AddToMemory,
  CancelInvocation,
  CreateSession,
  DeleteSession,
  EventPage,
  GetSession,
  InspectedInvocation,
  InspectInvocation,
  InvocationPage,
  InvocationState,
  ListInvocations,
  ListSessions,
  ReadEvents,
  ReadInvocation,
  RewindSession,
  Session,
  SessionHead,
  Submit,
  Submitted,
  WriteEvent,
} from '@skein/contracts';

/** What the gateway asks of session-svc. Every method fails with an AdkError; `unavailable` and `deadline` may pass. */
export abstract class SessionApi {
  /** Stores one input of a run; the answer says where the run's events begin. */
  abstract submit(input: Submit): Promise<Submitted>;
  /** Stores a new session; an id in use is a conflict. */
  abstract create(input: CreateSession): Promise<Session>;
  /** Answers nothing when there is no such session. */
  abstract get(input: GetSession): Promise<Session | undefined>;
  /** The sessions of one user in one app, without their events. */
  abstract list(input: ListSessions): Promise<Session[]>;
  /** Deleting what is not there is no error. */
  abstract delete(input: DeleteSession): Promise<void>;
  /** Appends an event, also while a run is under way. */
  abstract write(input: WriteEvent): Promise<SessionHead>;
  /** Takes an invocation and all after it back; a busy session is a conflict. */
  abstract rewind(input: RewindSession): Promise<SessionHead>;
  /** Takes what a session says into its user's memory. */
  abstract remember(input: AddToMemory): Promise<void>;
  /** Stored events above `afterSeq`, in order, one page at a time. */
  abstract events(input: ReadEvents): Promise<EventPage>;
  /** Where an invocation stands, and the session's head at the same moment. */
  abstract invocation(input: ReadInvocation): Promise<InvocationState>;
  /** An invocation with its segments. */
  abstract inspect(input: InspectInvocation): Promise<InspectedInvocation>;
  /** A page of a session's invocations, the newest first. */
  abstract invocations(input: ListInvocations): Promise<InvocationPage>;
  /** Ends an invocation, now or within 2 s; of one that is over nothing changes. */
  abstract cancel(input: CancelInvocation): Promise<InspectedInvocation>;
}
