import { type Event } from '@skein/contracts';
import { LRUCache } from 'lru-cache';

const MAX_EVENTS = 50_000;

/**
 * The event logs of sessions this runner has had, by the session's `uid`: the next turn then needs only what is newer.
 * A log is kept from its first event on, so its length is the `seq` it reaches.
 */
export class SessionCache {
  readonly #logs = new LRUCache<string, Event[]>({
    maxSize: MAX_EVENTS,
    sizeCalculation: (events) => events.length + 1,
  });

  /** Takes a log out: a run that changes it puts it back when its end is stored. */
  take(sessionUid: string): Event[] {
    const events = this.#logs.get(sessionUid) ?? [];
    this.#logs.delete(sessionUid);
    return events;
  }

  put(sessionUid: string, events: Event[]): void {
    this.#logs.set(sessionUid, events);
  }
}
