import { type SessionKey } from '@skein/contracts';

/** How far one session's events have gone on their way into the stream. */
export class PublishedLine {
  /** A publish failed: nothing more goes this way. */
  isStopped = false;
  /** What it knows is about a stream that is gone. */
  isForgotten = false;
  /** Settles when what was taken so far is published. */
  turn: Promise<void> = Promise.resolve();

  /**
   * @param stream the one that is published into, as far as is known; a later one when it was lost since.
   * @param seq up to here the stream has stored everything.
   */
  constructor(
    readonly key: SessionKey,
    readonly sessionUid: string,
    readonly stream: string | undefined,
    public seq: number,
  ) {}
}
