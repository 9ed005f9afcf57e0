import { type Event } from '@skein/contracts';
import { toldBytes } from '@skein/engine';
import { LRUCache } from 'lru-cache';
import { eventBytes } from './event-bytes';

/** Of a log beside its events. */
const LOG_BYTES = 200;

/**
 * The event logs of sessions this runner has had, by the session's `uid`: the next turn then needs only what is newer.
 * A log is kept from its first event on, so its length is the `seq` it reaches. Those used longest ago give way when all
 * take more than `maxBytes` of memory, with what the engine keeps of each for its agents; one that alone would take more is
 * not kept.
 */
export class SessionCache {
  readonly #logs: LRUCache<string, Event[]>;
  /** How many events of a log were measured: it comes back as it was taken, with more. */
  readonly #measured = new WeakMap<readonly Event[], { readonly count: number; readonly bytes: number }>();

  constructor(maxBytes: number) {
    this.#logs = new LRUCache<string, Event[]>({
      maxSize: maxBytes,
      sizeCalculation: (events) => this.#bytesOf(events),
    });
  }

  /** About how much memory the logs take. */
  get bytes(): number {
    return this.#logs.calculatedSize;
  }

  /** Whether the session's log is here, and reaches just this far. */
  reaches(sessionUid: string, seq: number): boolean {
    return this.#logs.peek(sessionUid)?.length === seq;
  }

  /** Takes a log out: a run that changes it puts it back when its end is stored. */
  take(sessionUid: string): Event[] {
    const events = this.#logs.get(sessionUid) ?? [];
    this.#logs.delete(sessionUid);
    return events;
  }

  put(sessionUid: string, events: Event[]): void {
    this.#logs.set(sessionUid, events);
  }

  #bytesOf(events: readonly Event[]): number {
    const known = this.#measured.get(events);
    const { count, bytes } = known && known.count <= events.length ? known : { count: 0, bytes: LOG_BYTES };
    const all = events.slice(count).reduce((sum, event) => sum + eventBytes(event), bytes);
    this.#measured.set(events, { count: events.length, bytes: all });
    // Anew each time: an agent that had no part in the log before may have been told all of it.
    return all + toldBytes(events);
  }
}
