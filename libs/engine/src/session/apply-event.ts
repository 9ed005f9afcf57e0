import { type Event, type Session } from '@skein/contracts';
import { setOwn } from '../json/set-own';

/**
 * Takes an event into a live session: later steps of the invocation see it and its state, `temp:` keys included (B56).
 * The same function folds a stored event during replay, so that code sees the state it saw then.
 */
export function applyEvent(session: Session, event: Event): void {
  session.events.push(event);
  session.lastUpdateTime = event.timestamp;
  applyStateDelta(session, event.actions.stateDelta);
}

/** Folds a delta into a live session's merged state, per key. */
export function applyStateDelta(session: Session, delta: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(delta)) setOwn(session.state, key, value);
}
