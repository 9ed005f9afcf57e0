import { type Logger } from '@skein/platform';

/** What is to be done in a sweep, and what a failure of it is called in the log. */
export type Duty = readonly [what: string, run: (signal: AbortSignal) => Promise<unknown>];

/**
 * Duties that are done one after the other, over and over. One that fails is left to the next time, and keeps nothing
 * behind it from being done.
 */
export class Duties {
  #round: Promise<void> | undefined;

  constructor(
    private readonly logger: Logger,
    private readonly duties: readonly Duty[],
  ) {}

  /** Does all of them once; while that is under way, another call waits for the same. Never rejects. */
  once(signal: AbortSignal): Promise<void> {
    this.#round ??= this.#all(signal).finally(() => (this.#round = undefined));
    return this.#round;
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await this.#round;
  }

  async #all(signal: AbortSignal): Promise<void> {
    for (const [what, run] of this.duties) {
      if (signal.aborted) return;
      try {
        await run(signal);
      } catch (error) {
        this.logger.warn({ what, err: error }, 'sweep failed, the next one tries again');
      }
    }
  }
}
