import {
  type CreateSession,
  type DeleteSession,
  type Event,
  type GetSession,
  type ListSessions,
  type Session,
} from '@skein/contracts';

/** Where sessions are kept. An implementation passes the session contract of `@skein/testing`. */
export abstract class SessionService {
  /** Makes a session; `state` is routed by prefix. Rejects with `session.exists` when the id is taken. */
  abstract createSession(request: CreateSession): Promise<Session>;

  /** The session with merged state and its events in `seq` order, or nothing. */
  abstract getSession(request: GetSession): Promise<Session | undefined>;

  /** The user's sessions, newest first, without events. */
  abstract listSessions(request: ListSessions): Promise<Session[]>;

  /** Removes the session and its events; harmless when it is not there. App and user state stay. */
  abstract deleteSession(request: DeleteSession): Promise<void>;

  /**
   * Stores an event after all that were stored before it and folds its state delta; `temp:` keys are not stored and
   * partial events are ignored. The second append of the same event id changes nothing.
   */
  abstract appendEvent(request: { readonly session: Session; readonly event: Event }): Promise<Event>;
}
