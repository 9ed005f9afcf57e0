import { type Logger } from '@skein/platform';
import { confirmSent, type SentCall, type StorePool } from '@skein/session-store';
import { Tasks } from '../tasks';

/** Most calls have ended by then, and cost nothing. */
const NOTE_MS = 1_000;

/**
 * Calls that went into their queue, until that is noted in the database: once a second, for all that are still open. What is
 * not noted is sent once more by a sweep, which the stream knows for the same, unless it only reads and left ahead (ADR 39).
 */
export class SentCalls {
  readonly #tasks: Tasks;
  #unnoted: SentCall[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly pool: StorePool,
    logger: Logger,
  ) {
    this.#tasks = new Tasks(logger);
  }

  start(): void {
    this.#timer = setInterval(() => this.#tasks.run('noting sent calls', () => this.#note()), NOTE_MS);
  }

  /** Notes what is left. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#tasks.settled();
    await this.#note();
  }

  add({ readAtMs, message: { ticket, returned } }: SentCall): void {
    // Not with the state it was sent with.
    this.#unnoted.push({ readAtMs, message: { ticket, returned } });
  }

  async #note(): Promise<void> {
    const calls = this.#unnoted;
    this.#unnoted = [];
    await confirmSent(this.pool, calls);
  }
}
