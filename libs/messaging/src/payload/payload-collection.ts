import { type Logger } from '@skein/platform';
import { type PayloadStore } from './payload-store';

const EVERY_MS = 60 * 60_000;

/** Has old payloads removed at its start and every hour, beside the messages: no put has to wait for it. */
export class PayloadCollection {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(
    private readonly payloads: PayloadStore,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.#timer = setInterval(() => void this.#collect(), EVERY_MS).unref();
    void this.#collect();
  }

  /** Settles once nothing is being removed any more. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  /** Never rejects; a collection that still runs is the next one too. */
  #collect(): Promise<void> {
    this.#running ??= this.#collectOnce().finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #collectOnce(): Promise<void> {
    try {
      await this.payloads.collectOld();
    } catch (error) {
      this.logger.warn({ err: error }, 'old payloads could not be removed');
    }
  }
}
