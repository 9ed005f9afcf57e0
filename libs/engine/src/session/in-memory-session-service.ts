import { randomUUID } from 'node:crypto';
import {
  AdkError,
  type CreateSession,
  type DeleteSession,
  type Event,
  type GetSession,
  type ListSessions,
  type Session,
} from '@skein/contracts';
import { systemClock } from '../clock/system-clock';
import { foldSessionState } from '../state/fold-state';
import { mergeState, separateTemp, splitState, type StateRecord } from '../state/state-scope';
import { SessionService } from './session-service';

interface StoredSession {
  readonly appName: string;
  readonly userId: string;
  readonly id: string;
  readonly events: Event[];
  /** Its own state at creation, before any event. */
  readonly initialState: StateRecord;
  readonly state: Record<string, unknown>;
  lastUpdateTime: number;
}

/** Sessions in this process's memory, for tests and single-process use; answers are copies. */
export class InMemorySessionService extends SessionService {
  readonly #sessions = new Map<string, StoredSession>();
  readonly #appStates = new Map<string, Record<string, unknown>>();
  readonly #userStates = new Map<string, Record<string, unknown>>();

  constructor(private readonly now: () => number = systemClock) {
    super();
  }

  override async createSession(request: CreateSession): Promise<Session> {
    const { appName, userId, sessionId = randomUUID() } = request;
    const key = keyOf(appName, userId, sessionId);
    if (this.#sessions.has(key)) {
      throw new AdkError('conflict', 'session.exists', `Session already exists: ${sessionId}`);
    }
    const session: StoredSession = {
      appName,
      userId,
      id: sessionId,
      events: [],
      initialState: structuredClone(splitState(request.state ?? {}).session),
      state: {},
      lastUpdateTime: this.now() / 1000,
    };
    this.#sessions.set(key, session);
    this.#fold(session, request.state ?? {});
    for (const event of request.events ?? []) if (!event.partial) this.#store(session, event);
    return this.#copy(session);
  }

  override async getSession(request: GetSession): Promise<Session | undefined> {
    const session = this.#sessions.get(keyOf(request.appName, request.userId, request.sessionId));
    if (!session) return undefined;
    const { afterSeq = 0, afterTimestamp = -Infinity, numRecentEvents, atSeq } = request;
    const events = session.events.slice(afterSeq, atSeq).filter((event) => event.timestamp >= afterTimestamp);
    return this.#copy(session, {
      events: numRecentEvents === undefined ? events : lastOf(events, numRecentEvents),
      ...(atSeq === undefined ? {} : { state: stateAt(session, atSeq) }),
    });
  }

  override async listSessions({ appName, userId }: ListSessions): Promise<Session[]> {
    return [...this.#sessions.values()]
      .filter((session) => session.appName === appName && session.userId === userId)
      .sort((one, other) => other.lastUpdateTime - one.lastUpdateTime)
      .map((session) => this.#copy(session, { events: [] }));
  }

  override async deleteSession({ appName, userId, sessionId }: DeleteSession): Promise<void> {
    this.#sessions.delete(keyOf(appName, userId, sessionId));
  }

  override async appendEvent({ session, event }: { session: Session; event: Event }): Promise<Event> {
    if (event.partial) return event;
    const stored = this.#sessions.get(keyOf(session.appName, session.userId, session.id));
    if (!stored) throw new AdkError('not_found', 'session.not-found', `Session not found: ${session.id}`);
    if (stored.events.some(({ id }) => id === event.id)) return event;
    this.#store(stored, event);
    stored.lastUpdateTime = event.timestamp;
    return event;
  }

  #store(session: StoredSession, event: Event): void {
    const { stored: stateDelta } = separateTemp(event.actions.stateDelta);
    session.events.push(structuredClone({ ...event, actions: { ...event.actions, stateDelta } }));
    this.#fold(session, stateDelta);
  }

  #fold(session: StoredSession, delta: Readonly<Record<string, unknown>>): void {
    const scopes = splitState(structuredClone(delta));
    Object.assign(session.state, scopes.session);
    Object.assign(stateIn(this.#appStates, session.appName), scopes.app);
    Object.assign(stateIn(this.#userStates, keyOf(session.appName, session.userId)), scopes.user);
  }

  #copy(
    session: StoredSession,
    { events, state }: Partial<Pick<StoredSession, 'events' | 'state'>> = {},
  ): Session {
    return structuredClone({
      id: session.id,
      appName: session.appName,
      userId: session.userId,
      state: mergeState({
        session: state ?? session.state,
        app: stateIn(this.#appStates, session.appName),
        user: stateIn(this.#userStates, keyOf(session.appName, session.userId)),
      }),
      events: events ?? session.events,
      lastUpdateTime: session.lastUpdateTime,
    });
  }
}

/** Ids may hold any character, so a key is their JSON, not their concatenation. */
function keyOf(...ids: string[]): string {
  return JSON.stringify(ids);
}

function stateAt({ initialState, events }: StoredSession, seq: number): Record<string, unknown> {
  return foldSessionState(
    initialState,
    events.slice(0, seq).map(({ actions }) => actions.stateDelta),
  );
}

function stateIn(states: Map<string, Record<string, unknown>>, key: string): Record<string, unknown> {
  const state = states.get(key) ?? {};
  states.set(key, state);
  return state;
}

function lastOf<T>(items: readonly T[], count: number): T[] {
  return count === 0 ? [] : items.slice(-count);
}
