import type { FeedMessage } from '../session-feed';

const MAX_MESSAGES = 1024;

/**
 * Holds what was heard until its reader comes for it. A reader that is too slow (its client does not read) loses the
 * whole content for one `missed`, so a stalled client costs bounded memory and reads again from the store.
 */
export class Inbox {
  #messages: FeedMessage[] = [];
  #wake: (() => void) | undefined;
  #isClosed = false;

  push(message: FeedMessage): void {
    if (this.#isClosed) return;
    if (this.#messages.length === MAX_MESSAGES) this.#messages = [{ kind: 'missed' }];
    this.#messages.push(message);
    this.#wake?.();
  }

  /** Wakes the reader for good. */
  close(): void {
    this.#isClosed = true;
    this.#messages = [];
    this.#wake?.();
  }

  /** The next message; nothing after `waitMs` without one, or once closed. */
  async next(waitMs: number): Promise<FeedMessage | undefined> {
    if (this.#messages.length === 0 && !this.#isClosed) await this.#arrival(waitMs);
    return this.#messages.shift();
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
