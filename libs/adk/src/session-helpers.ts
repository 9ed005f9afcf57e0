import { type Event, type Session } from '@skein/contracts';
import { mergeState, type ResumabilityConfig, separateTemp } from '@skein/engine';

type StateRecord = Record<string, unknown>;

/** A session that nobody keeps, with every field one has. */
export function createSession(params: Partial<Session> & Pick<Session, 'id' | 'appName'>): Session {
  return { userId: '', state: {}, events: [], lastUpdateTime: 0, ...params };
}

/** Whether an app's runs may be gone on with; they may not where nothing is said. */
export function createResumabilityConfig(params: Partial<ResumabilityConfig> = {}): ResumabilityConfig {
  return { isResumable: false, ...params };
}

/** One state of the three that are kept, the app's and the user's keys under their prefixes (B57). */
export function mergeStates(
  app: StateRecord = {},
  user: StateRecord = {},
  session: StateRecord = {},
): StateRecord {
  return mergeState({ app, user, session: structuredClone(session) });
}

/** A state without its `temp:` keys. */
export function trimTempState(state: StateRecord): StateRecord {
  return { ...separateTemp(state).stored };
}

/** The event, its `temp:` keys taken out of its delta, in place. */
export function trimTempDeltaState(event: Event): Event {
  event.actions.stateDelta = trimTempState(event.actions.stateDelta);
  return event;
}
