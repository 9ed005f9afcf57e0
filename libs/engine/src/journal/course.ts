import { divergence } from './divergence';
import { type Frame } from './frame';
import { type UnreadSteps } from './unread-steps';

/** Whether a run that is taken over comes to all that is stored of it, in the order in which it was stored. */
export class Course {
  #divergence: Error | undefined;

  constructor(readonly unread: UnreadSteps) {}

  /** How the run came off the course, once it has. */
  get divergence(): Error | undefined {
    return this.#divergence;
  }

  /** At the end of a frame: all that is stored of it was come to. Throws `REPLAY_DIVERGED`. */
  assertAllRead({ path }: Frame): void {
    // Code of an author's may have caught it.
    if (this.#divergence) throw this.#divergence;
    const unread = this.unread.firstBelow(path);
    if (unread !== undefined) throw this.diverged(unread, `the end of ${path}`);
  }

  /**
   * Before something new is begun in a frame: where all comes one after the other, what is stored was come to by now; but
   * below `except` it may come at the same time. Throws `REPLAY_DIVERGED`.
   */
  assertNoneLeftOut(innermost: Frame, stepKey: string, except?: string): void {
    for (let frame: Frame | undefined = innermost; frame; frame = frame.parent) {
      const leftOut = this.unread.firstBelow(frame.path, except);
      if (leftOut === undefined) continue;
      if (frame.inOrder) throw this.diverged(leftOut, stepKey);
      return;
    }
  }

  /** The failure of a run whose code goes another way than what is stored of it; the first one counts. */
  diverged(stored: string, asked: string): Error {
    this.#divergence ??= divergence(stored, asked);
    return this.#divergence;
  }
}
