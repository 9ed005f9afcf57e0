import {
  type AddToMemory,
  AdkError,
  type CancelInvocation,
  type CreateSession,
  type Event,
  type EventPage,
  type InspectedInvocation,
  type InspectInvocation,
  type InvocationPage,
  type InvocationState,
  type ListInvocations,
  type PartialFrame,
  type ReadEvents,
  type RewindSession,
  type Session,
  type SessionHead,
  type SessionKey,
  type StoredEvent,
  type Submit,
  type Submitted,
  type WriteEvent,
} from '@skein/contracts';
import { SessionApi } from '../src/session-api';
import { FakeDeadLetters } from './fake-dead-letters';
import { SessionFeed, type FeedMessage, type FeedSubscription } from '../src/session-feed';

export const INVOCATION = 'e-0193e7a0-0000-7000-8000-000000000001';
export const SESSION_UID = 'uid-1';

/** One session's log with the invocation that is followed, told to the gateway only as far as the test publishes it. */
export class FakeSessionSvc extends SessionApi {
  readonly calls: { readonly verb: string; readonly input: unknown }[] = [];
  readonly log: StoredEvent[] = [];
  readonly feed = new FakeFeed();
  readonly deadLetters = new FakeDeadLetters();
  readonly #sessions = new Map<string, Session>();
  /** What `invocation` answers beside; `lastSeq` is the end of the log unless it is said. */
  state: Pick<InvocationState, 'status' | 'error'> & { readonly lastSeq?: number } = { status: 'running' };
  /** Of what is submitted, stored and ended. */
  segment = 0;
  /** The head when the invocation was submitted. */
  afterSeq = 0;
  sessionUid = SESSION_UID;
  isDeleted = false;
  pageSize = 100;
  failure: Error | undefined;
  /** Plays the run; called after the input was taken, before the answer. */
  onSubmit: (input: Submit) => void = () => undefined;

  /** Stores an event without telling anybody. */
  store(event: Partial<Event> = {}): StoredEvent {
    const stored = {
      seq: this.log.length + 1,
      stepKey: `${this.segment}/root_agent.0/model.${this.log.length}`,
      event: anEvent({ id: `event-${this.log.length + 1}`, ...event }),
    };
    this.log.push(stored);
    return stored;
  }

  publish(stored: StoredEvent): void {
    this.feed.emit({ kind: 'event', message: { ...stored, sessionUid: this.sessionUid } });
  }

  /** Stores and publishes. */
  say(event: Partial<Event> = {}): StoredEvent {
    const stored = this.store(event);
    this.publish(stored);
    return stored;
  }

  /** Ends the run, and says so. */
  end(status: InvocationState['status'] = 'completed', error?: InvocationState['error']): void {
    this.state = { status, error };
    const frame = {
      kind: 'end',
      invocationId: INVOCATION,
      segment: this.segment,
      status,
      error,
      afterSeq: this.log.length,
    } as const;
    this.feed.partial(frame);
  }

  async submit(input: Submit): Promise<Submitted> {
    this.record('submit', input);
    const { segment, sessionUid } = this;
    // A repeat is told where the first one began.
    if (input.isRepeat !== true) this.afterSeq = this.log.length;
    const submitted = { invocationId: INVOCATION, segment, sessionUid, afterSeq: this.afterSeq };
    this.onSubmit(input);
    return submitted;
  }

  async create(input: CreateSession): Promise<Session> {
    this.record('create', input);
    const { appName, userId, sessionId: id = '', state = {}, events = [] } = input;
    const path = pathOf({ appName, userId, sessionId: id });
    if (this.#sessions.has(path))
      throw new AdkError('conflict', 'session.exists', `Session already exists: ${id}`);
    const session = { id, appName, userId, state, events, lastUpdateTime: 1_763_640_000.5 };
    this.#sessions.set(path, session);
    return session;
  }

  async get(input: SessionKey): Promise<Session | undefined> {
    this.record('get', input);
    return this.#sessions.get(pathOf(input));
  }

  async list(input: Pick<SessionKey, 'appName' | 'userId'>): Promise<Session[]> {
    this.record('list', input);
    const isOwn = (session: Session) => session.appName === input.appName && session.userId === input.userId;
    return [...this.#sessions.values()].filter(isOwn);
  }

  async delete(input: SessionKey): Promise<void> {
    this.record('delete', input);
    this.#sessions.delete(pathOf(input));
  }

  async write(input: WriteEvent): Promise<SessionHead> {
    this.record('write', input);
    const { events, state } = this.#existing(input);
    events.push(input.event);
    Object.assign(state, input.event.actions.stateDelta);
    return { lastSeq: events.length };
  }

  async rewind(input: RewindSession): Promise<SessionHead> {
    this.record('rewind', input);
    return { lastSeq: this.#existing(input).events.length };
  }

  async remember(input: AddToMemory): Promise<void> {
    this.record('remember', input);
    this.#existing(input);
  }

  async events(input: ReadEvents): Promise<EventPage> {
    this.record('events', input);
    if (this.isDeleted) throw sessionNotFound(input);
    const events = this.log.filter(({ seq }) => seq > input.afterSeq).slice(0, this.pageSize);
    return { sessionUid: this.sessionUid, lastSeq: this.log.length, events };
  }

  async invocation(input: SessionKey): Promise<InvocationState> {
    this.record('invocation', input);
    if (this.isDeleted) throw invocationNotFound(INVOCATION);
    return { invocationId: INVOCATION, segment: this.segment, lastSeq: this.log.length, ...this.state };
  }

  async inspect(input: InspectInvocation): Promise<InspectedInvocation> {
    this.record('inspect', input);
    if (this.isDeleted || input.invocationId !== INVOCATION) throw invocationNotFound(input.invocationId);
    const { sessionUid, segment, afterSeq } = this;
    const { status, error } = this.state;
    const segments = [{ segment: 0, status, error, afterSeq }];
    const times = { attempt: 1, createTime: 1_763_640_000.5 };
    const lastSeq = this.log.length;
    return { invocationId: INVOCATION, sessionUid, lastSeq, status, error, segment, segments, ...times };
  }

  async invocations(input: ListInvocations): Promise<InvocationPage> {
    this.record('invocations', input);
    return { invocations: [await this.inspect({ ...input, invocationId: INVOCATION })] };
  }

  async cancel(input: CancelInvocation): Promise<InspectedInvocation> {
    this.record('cancel', input);
    this.end('cancelled');
    return this.inspect(input);
  }

  #existing(key: SessionKey): Session {
    const session = this.#sessions.get(pathOf(key));
    if (session) return session;
    throw sessionNotFound(key);
  }

  /** Notes what was asked; fails when the test says so. */
  record(verb: string, input: unknown): void {
    this.calls.push({ verb, input });
    if (this.failure !== undefined) throw this.failure;
  }
}

export class FakeFeed extends SessionFeed {
  readonly #listeners = new Set<(message: FeedMessage, sizeBytes: number) => void>();

  get listeners(): number {
    return this.#listeners.size;
  }

  open(_key: SessionKey, receive: (message: FeedMessage, sizeBytes: number) => void): FeedSubscription {
    this.#listeners.add(receive);
    return { close: () => this.#listeners.delete(receive) };
  }

  emit(message: FeedMessage, sizeBytes = 0): void {
    for (const listener of this.#listeners) listener(message, sizeBytes);
  }

  partial(frame: PartialFrame): void {
    this.emit({ kind: 'partial', frame });
  }
}

export function anEvent(event: Partial<Event> = {}): Event {
  return {
    id: 'event',
    timestamp: 1_763_640_000.25,
    invocationId: INVOCATION,
    author: 'root_agent',
    actions: { stateDelta: {}, artifactDelta: {}, requestedAuthConfigs: {}, requestedToolConfirmations: {} },
    ...event,
  };
}

export function aChunk(
  chunk: Partial<Extract<PartialFrame, { kind: 'chunk' }>> & { readonly id: string },
): PartialFrame {
  const { id, ...frame } = chunk;
  return {
    kind: 'chunk',
    epoch: 1,
    segment: 0,
    n: 0,
    afterSeq: 0,
    event: anEvent({ id, partial: true }),
    ...frame,
  };
}

function sessionNotFound({ sessionId }: SessionKey): AdkError {
  return new AdkError('not_found', 'session.not-found', `Session not found: ${sessionId}`);
}

function invocationNotFound(invocationId: string): AdkError {
  return new AdkError('not_found', 'invocation.not-found', `Invocation not found: ${invocationId}`);
}

function pathOf({ appName, userId, sessionId }: SessionKey): string {
  return JSON.stringify([appName, userId, sessionId]);
}
