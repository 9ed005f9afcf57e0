import { type SessionKey } from '@skein/contracts';

/** How far one session's events have gone on their way into the stream. */
export class PublishedLine {
  /** Up to here everything is sent, in order. */
  sentSeq: number;
  /** Up to here the stream has stored everything, without a gap. */
  ackedSeq: number;
  /** A publish failed: nothing more goes this way. */
  isStopped = false;
  /** What it knows is about a stream that is gone. */
  isForgotten = false;
  /** Settles when what was taken so far is published. */
  turn: Promise<void> = Promise.resolve();
  /** Stored by the stream while one below is still on its way. */
  readonly #ahead = new Set<number>();

  constructor(
    readonly key: SessionKey,
    readonly sessionUid: string,
    publishedSeq: number,
  ) {
    this.sentSeq = publishedSeq;
    this.ackedSeq = publishedSeq;
  }

  sent(seq: number): void {
    this.sentSeq = seq;
  }

  acked(seq: number): void {
    this.#ahead.add(seq);
    while (this.#ahead.delete(this.ackedSeq + 1)) this.ackedSeq++;
  }
}
