import type { Event, PartialFrame, StoredEvent, Submitted } from '@skein/contracts';

/** One thing to show to the client of a run, in the order it has to be shown. */
export type Shown =
  | { readonly kind: 'event'; readonly seq: number; readonly event: Event }
  | { readonly kind: 'chunk'; readonly event: Event }
  /** The chunks shown for this event are void: another runner began it anew. */
  | { readonly kind: 'reset'; readonly eventId: string };

type ChunkFrame = Extract<PartialFrame, { kind: 'chunk' }>;

const MAX_HELD_CHUNKS = 512;
const MAX_FINAL_IDS = 1024;

/**
 * Puts what was heard of one segment of an invocation in order: events by dense `seq`, each chunk after the event it
 * follows. Other segments are left out: an early answer is stored while the one before it still runs.
 * Pure: it neither waits nor asks, and says by `isBehind` that something it was told of has not come.
 */
export class InvocationOrder {
  #position: number;
  #head: number;
  #end = Infinity;
  #epoch = 0;
  #held: ChunkFrame[] = [];
  readonly #finalIds = new Set<string>();
  readonly #lastChunk = new Map<string, number>();

  constructor(private readonly followed: Pick<Submitted, 'invocationId' | 'segment' | 'afterSeq'>) {
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

  /** The segment ended here: what lies above is of no interest any more. */
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
    if (event.invocationId === this.followed.invocationId && this.#isOfSegment(stepKey)) {
      this.#finalise(event.id);
      shown.push({ kind: 'event', seq, event });
    }
    return [...shown, ...this.#release()];
  }

  takeChunk(frame: ChunkFrame): Shown[] {
    const { invocationId, segment } = this.followed;
    if (frame.event.invocationId !== invocationId || frame.segment !== segment) return [];
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

  /** A step key begins with its segment; an event without one came from outside of any run. */
  #isOfSegment(stepKey: string | undefined): boolean {
    return stepKey === undefined || stepKey.startsWith(`${this.followed.segment}/`);
  }

  #release(): Shown[] {
    const due = this.#held.filter(({ afterSeq }) => afterSeq <= this.#position);
    if (due.length === 0) return [];
    this.#held = this.#held.filter(({ afterSeq }) => afterSeq > this.#position);
    return due
      .filter(({ event }) => !this.#finalIds.has(event.id))
      .flatMap((frame) => this.#showChunk(frame));
  }

  #showChunk({ event, n }: ChunkFrame): Shown[] {
    if (n <= (this.#lastChunk.get(event.id) ?? -1)) return [];
    this.#lastChunk.set(event.id, n);
    return [{ kind: 'chunk', event }];
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
