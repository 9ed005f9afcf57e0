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

/** Takes an event into a live session at its place in the log; of a key that was set behind it, that value stays. */
export function insertEvent(session: Session, place: number, event: Event): void {
  const setSince = new Set(
    session.events.slice(place).flatMap(({ actions }) => Object.keys(actions.stateDelta)),
  );
  session.events.splice(place, 0, event);
  session.lastUpdateTime = Math.max(session.lastUpdateTime, event.timestamp);
  const delta = Object.entries(event.actions.stateDelta).filter(([key]) => !setSince.has(key));
  applyStateDelta(session, Object.fromEntries(delta));
}

/** Folds a delta into a live session's merged state, per key. */
export function applyStateDelta(session: Session, delta: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(delta)) setOwn(session.state, key, value);
}
