import type { FeedMessage } from '../session-feed';

const MAX_MESSAGES = 1024;
const MAX_BYTES = 1024 * 1024;

interface Held {
  readonly message: FeedMessage;
  readonly sizeBytes: number;
}

/**
 * Holds what was heard until its reader comes for it. A reader that is too slow (its client does not read) loses the
 * whole content for one `missed`, so a stalled client costs bounded memory and reads again from the store.
 */
export class Inbox {
  #held: Held[] = [];
  #bytes = 0;
  #wake: (() => void) | undefined;
  #isClosed = false;

  push(message: FeedMessage, sizeBytes: number): void {
    if (this.#isClosed) return;
    // A message by itself is held whatever its size: without it the reader would wait for silence first.
    const isFull = this.#held.length === MAX_MESSAGES || this.#bytes + sizeBytes > MAX_BYTES;
    if (isFull && this.#held.length > 0) this.#forget({ message: { kind: 'missed' }, sizeBytes: 0 });
    else this.#hold({ message, sizeBytes });
    this.#wake?.();
  }

  /** Wakes the reader for good. */
  close(): void {
    this.#isClosed = true;
    this.#forget();
    this.#wake?.();
  }

  /** The next message; nothing after `waitMs` without one, or once closed. */
  async next(waitMs: number): Promise<FeedMessage | undefined> {
    if (this.#held.length === 0 && !this.#isClosed) await this.#arrival(waitMs);
    const next = this.#held.shift();
    this.#bytes -= next?.sizeBytes ?? 0;
    return next?.message;
  }

  #hold(held: Held): void {
    this.#held.push(held);
    this.#bytes += held.sizeBytes;
  }

  #forget(...left: Held[]): void {
    this.#held = left;
    this.#bytes = 0;
  }

  async #arrival(waitMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }
}
