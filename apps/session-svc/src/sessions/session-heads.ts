import { type Handover, type SessionKey, type StoredEvent, type Submit } from '@skein/contracts';
import { type ScopedState, splitState, type StateRecord } from '@skein/engine';
import { type SessionHead, sessionKeyOf, type StoredChain } from '@skein/session-store';
import { LRUCache } from 'lru-cache';
import { isShortJson } from './is-short-json';

/** Sessions, users, apps and keys that are remembered, each. */
const REMEMBERED = 10_000;
/** A larger state costs more to compare than a guess saves. */
const MAX_STATE_LENGTH = 4_096;
/** How long a session is not guessed after a guess was wrong: each such asks a model in vain. */
const AFTER_MISTAKE_MS = 60_000;

interface KnownSession {
  readonly sessionUid: string;
  readonly epoch: number;
  readonly runnerId: string;
  readonly lastSeq: number;
  readonly updatedSeconds: number;
  readonly state: StateRecord;
  /** The last run ended, and left nothing that waits. */
  readonly isFree: boolean;
}

type Message = SessionKey & Pick<Submit, 'idempotencyKey'>;

/**
 * What this process last saw of sessions, from the claims it made and the units it stored: enough to say what the next message of
 * one will claim, before the database says so (ADR 40). It may be out of date, where others write too: whoever uses it asks.
 */
export class SessionHeads {
  readonly #sessions = new LRUCache<string, KnownSession>({ max: REMEMBERED });
  readonly #users = new LRUCache<string, StateRecord>({ max: REMEMBERED });
  readonly #apps = new LRUCache<string, StateRecord>({ max: REMEMBERED });
  /** Of the messages stored last, whosever. */
  readonly #keys = new LRUCache<string, true>({ max: REMEMBERED });
  readonly #mistaken: LRUCache<string, true>;

  /**
   * @param isAlone whether this is the only session-svc: beside another it would not know what that stores, so it remembers nothing.
   * @param clock monotonic, in milliseconds.
   */
  constructor(
    private readonly isAlone: boolean,
    clock: { now: () => number } = performance,
  ) {
    this.#mistaken = new LRUCache({ max: REMEMBERED, ttl: AFTER_MISTAKE_MS, ttlResolution: 0, perf: clock });
  }

  /** The head of the session this message is for, where that is free, as far as is known, and was last run by this runner. */
  freeHead(message: Message, runnerId: string): SessionHead | undefined {
    const id = sessionKeyOf(message);
    const known = this.#sessions.get(id);
    if (!known?.isFree || known.runnerId !== runnerId || this.#mistaken.has(id)) return undefined;
    const key = keyOf(message);
    if (key !== undefined && this.#keys.has(key)) return undefined;
    const [user, app] = [this.#users.get(userOf(message)), this.#apps.get(message.appName)];
    if (!user || !app) return undefined;
    const { sessionUid, epoch, lastSeq, updatedSeconds, state } = known;
    return { sessionUid, epoch, lastSeq, updatedSeconds, scopes: { session: state, app, user } };
  }

  /** This message is stored: sent again under its key, it claims nothing. */
  sent(message: Message): void {
    const key = this.isAlone ? keyOf(message) : undefined;
    if (key !== undefined) this.#keys.set(key, true);
  }

  /** A new segment was claimed, and this is all of the session's state as it begins. */
  claimed(handover: Handover, runnerId: string): void {
    if (!this.isAlone) return;
    const { sessionUid, epoch, lastSeq, lastUpdateTime, sessionState, userState, appState } = handover;
    remember(this.#users, userOf(handover), userState);
    remember(this.#apps, handover.appName, appState);
    const id = sessionKeyOf(handover);
    if (!isShortJson(sessionState, MAX_STATE_LENGTH)) {
      this.#sessions.delete(id);
      return;
    }
    this.#sessions.set(id, {
      ...{ sessionUid, epoch, runnerId, lastSeq },
      updatedSeconds: lastUpdateTime,
      state: sessionState,
      isFree: false,
    });
  }

  stored({ units, sessionUid, baseSeq, events, nextClaim, clockMs }: StoredChain): void {
    if (!this.isAlone) return;
    const [unit] = units;
    const id = sessionKeyOf(unit);
    const { session, user, app } = deltaOf(events);
    change(this.#users, userOf(unit), user);
    change(this.#apps, unit.appName, app);
    const known = this.#sessions.get(id);
    if (!known) return;
    const isNext = known.sessionUid === sessionUid && known.epoch === unit.epoch && known.lastSeq === baseSeq;
    const state = changed(known.state, session);
    if (!isNext || !state) {
      this.#sessions.delete(id);
      return;
    }
    this.#sessions.set(id, {
      ...known,
      lastSeq: baseSeq + events.length,
      updatedSeconds: events.length > 0 ? clockMs / 1_000 : known.updatedSeconds,
      state,
      isFree: nextClaim === undefined && units.some(({ finish }) => finish !== undefined),
    });
  }

  /** A message for it is being stored: until what that claims has ended, no other is told of this head. */
  taken(key: SessionKey): void {
    const id = sessionKeyOf(key);
    const known = this.#sessions.get(id);
    if (known) this.#sessions.set(id, { ...known, isFree: false });
  }

  /** Somebody else wrote to it, or it is gone. */
  forget(key: SessionKey): void {
    this.#sessions.delete(sessionKeyOf(key));
  }

  /** It was not as was guessed. */
  mistaken(key: SessionKey): void {
    this.forget(key);
    this.#mistaken.set(sessionKeyOf(key), true);
  }
}

const NO_DELTA = splitState({});

/** What the events change; per key, the later wins. */
function deltaOf(events: readonly StoredEvent[]): ScopedState {
  const entries = events.flatMap(({ event }) => Object.entries(event.actions.stateDelta));
  return entries.length === 0 ? NO_DELTA : splitState(Object.fromEntries(entries));
}

/** Nothing where it is too large to be kept. */
function changed(state: StateRecord, delta: StateRecord): StateRecord | undefined {
  if (Object.keys(delta).length === 0) return state;
  const whole = { ...state, ...delta };
  return isShortJson(whole, MAX_STATE_LENGTH) ? whole : undefined;
}

type States = LRUCache<string, StateRecord>;

function change(states: States, id: string, delta: StateRecord): void {
  if (Object.keys(delta).length === 0) return;
  const state = states.get(id);
  const whole = state && changed(state, delta);
  if (whole) states.set(id, whole);
  else states.delete(id);
}

function remember(states: States, id: string, state: StateRecord): void {
  if (isShortJson(state, MAX_STATE_LENGTH)) states.set(id, state);
  else states.delete(id);
}

/** A key is its user's, whichever session it is used in. */
function keyOf(message: Message): string | undefined {
  const { idempotencyKey, userId } = message;
  return idempotencyKey === undefined ? undefined : `${userId.length}.${userOf(message)}${idempotencyKey}`;
}

/** Ids may hold any character. */
function userOf({ appName, userId }: SessionKey): string {
  return `${appName.length}.${appName}${userId}`;
}
