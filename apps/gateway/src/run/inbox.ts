import type { FeedMessage } from '../session-feed';

const MAX_MESSAGES = 1024;
const MAX_BYTES = 1024 * 1024;

/**
 * Holds what was heard until its reader comes for it. A reader that is too slow (its client does not read) loses the
 * whole content for one `missed`, so a stalled client costs bounded memory and reads again from the store.
 */
export class Inbox {
  #held: FeedMessage[] = [];
  #bytes = 0;
  #wake: (() => void) | undefined;
  #isClosed = false;

  push(message: FeedMessage, sizeBytes: number): void {
    if (this.#isClosed) return;
    // A message by itself is held whatever its size: without it the reader would wait for silence first.
    const isFull = this.#held.length === MAX_MESSAGES || this.#bytes + sizeBytes > MAX_BYTES;
    if (isFull && this.#held.length > 0) {
      this.#forget();
      this.#hold({ kind: 'missed' }, 0);
    } else this.#hold(message, sizeBytes);
    this.#wake?.();
  }

  /** Wakes the reader for good. */
  close(): void {
    this.#isClosed = true;
    this.#forget();
    this.#wake?.();
  }

  /** What was heard since, in order; nothing after `waitMs` without any, or once closed. */
  async next(waitMs: number): Promise<readonly FeedMessage[]> {
    if (this.#held.length === 0 && !this.#isClosed) await this.#arrival(waitMs);
    this.#wake = undefined;
    const heard = this.#held;
    this.#forget();
    return heard;
  }

  #hold(message: FeedMessage, sizeBytes: number): void {
    this.#held.push(message);
    this.#bytes += sizeBytes;
  }

  #forget(): void {
    this.#held = [];
    this.#bytes = 0;
  }

  #arrival(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
