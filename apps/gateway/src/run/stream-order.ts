import type { Event, PartialFrame, StoredEvent } from '@skein/contracts';
import type { Followed } from './followed';

/** One thing to show to the client of a stream, in the order it has to be shown. */
export type Shown =
  | { readonly kind: 'event'; readonly seq: number; readonly event: Event }
  | { readonly kind: 'chunk'; readonly event: Event }
  /** The chunks shown for this event are void: another runner began it anew. */
  | { readonly kind: 'reset'; readonly eventId: string };

type ChunkFrame = Extract<PartialFrame, { kind: 'chunk' }>;

const MAX_HELD_CHUNKS = 512;
const MAX_FINAL_IDS = 1024;

/**
 * Puts what was heard of a session in order: events by dense `seq`, each chunk after the event it follows. What is not
 * followed is left out: an early answer is stored while the segment before it still runs.
 * Pure: it neither waits nor asks, and says by `isBehind` that something it was told of has not come.
 */
export class StreamOrder {
  #position: number;
  #head: number;
  #end = Infinity;
  #epoch = 0;
  #held: ChunkFrame[] = [];
  readonly #finalIds = new Set<string>();
  readonly #lastChunk = new Map<string, number>();

  constructor(private readonly followed: Omit<Followed, 'key' | 'sessionUid'>) {
    this.#position = followed.afterSeq;
    this.#head = followed.afterSeq;
  }

  /** The seq up to which every event of the session was taken in. */
  get position(): number {
    return this.#position;
  }

  get isBehind(): boolean {
    return this.#head > this.#position;
  }

  /** The session is known to hold events up to this seq. */
  expect(seq: number): void {
    this.#head = Math.min(Math.max(this.#head, seq), this.#end);
  }

  /** What is followed ended here: what lies above is of no interest any more. */
  endAt(seq: number): void {
    this.#end = Math.max(seq, this.#position);
    this.expect(seq);
  }

  /** An event above a gap is not kept: whoever fills the gap reads it again, so this stays small. */
  takeEvent({ seq, stepKey, event }: StoredEvent): Shown[] {
    this.expect(seq);
    if (seq !== this.#position + 1 || seq > this.#end) return [];
    this.#position = seq;
    const shown: Shown[] = [];
    if (this.#isFollowed(event) && this.#isOfSegment(stepKey)) {
      this.#finalise(event.id);
      shown.push({ kind: 'event', seq, event });
    }
    return [...shown, ...this.#release()];
  }

  takeChunk(frame: ChunkFrame): Shown[] {
    const { segment = frame.segment } = this.followed;
    if (!this.#isFollowed(frame.event) || frame.segment !== segment) return [];
    // A lower epoch is a runner that lost the session; a late chunk of a stored event would undo its final text.
    if (frame.epoch < this.#epoch || this.#finalIds.has(frame.event.id)) return [];
    const resets = frame.epoch > this.#epoch ? this.#raiseEpoch(frame.epoch) : [];
    this.expect(frame.afterSeq);
    if (frame.afterSeq <= this.#position) return [...resets, ...this.#showChunk(frame)];
    // Chunks may be lost (the final event holds all they said), so the oldest go first when there are too many.
    if (this.#held.length === MAX_HELD_CHUNKS) this.#held.shift();
    this.#held.push(frame);
    return resets;
  }

  #isFollowed(event: Event): boolean {
    const { invocationId = event.invocationId } = this.followed;
    return event.invocationId === invocationId;
  }

  /** A step key begins with its segment; an event without one came from outside of any run. */
  #isOfSegment(stepKey: string | undefined): boolean {
    const { segment } = this.followed;
    return segment === undefined || stepKey === undefined || stepKey.startsWith(`${segment}/`);
  }

  #release(): Shown[] {
    const due = this.#held.filter(({ afterSeq }) => afterSeq <= this.#position);
    if (due.length === 0) return [];
    this.#held = this.#held.filter(({ afterSeq }) => afterSeq > this.#position);
    return due
      .filter(({ event }) => !this.#finalIds.has(event.id))
      .flatMap((frame) => this.#showChunk(frame));
  }

  #showChunk({ event, n, afterSeq }: ChunkFrame): Shown[] {
    const last = this.#lastChunk.get(event.id);
    if (last !== undefined && n <= last) return [];
    this.#lastChunk.set(event.id, n);
    // The event streamed already when the client left: it may hold pieces of another runner, or with a gap behind.
    const mayBeHeld = this.followed.isResumed && last === undefined && afterSeq <= this.followed.afterSeq;
    const shown: Shown = { kind: 'chunk', event };
    return mayBeHeld ? [{ kind: 'reset', eventId: event.id }, shown] : [shown];
  }

  #raiseEpoch(epoch: number): Shown[] {
    this.#epoch = epoch;
    this.#held = [];
    const open = [...this.#lastChunk.keys()];
    this.#lastChunk.clear();
    return open.map((eventId) => ({ kind: 'reset', eventId }));
  }

  #finalise(eventId: string): void {
    this.#lastChunk.delete(eventId);
    this.#finalIds.add(eventId);
    // Chunks come late by moments, so the oldest ids can be forgotten.
    for (const oldest of this.#finalIds) {
      if (this.#finalIds.size <= MAX_FINAL_IDS) return;
      this.#finalIds.delete(oldest);
    }
  }
}
