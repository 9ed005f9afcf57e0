import { toolCallMessageSchema } from '@skein/contracts';
import { countLying, dropGivenUp, type MessagingConnection, walkStream } from '@skein/messaging';
import { type Logger } from '@skein/platform';
import { readClock, type StorePool } from '@skein/session-store';

export interface LeftMessagesParts {
  readonly pool: StorePool;
  readonly connection: MessagingConnection;
  /** How long after one look the next may be. */
  readonly everyMs: number;
  readonly logger: Logger;
}

/** Messages read in one look; the next one goes on behind them. */
const PAGE = 200;
/** More of them in one look would keep it waiting for a store that is away. */
const MAX_FAILURES = 3;
const MAX_TOLD = 1_000;
/** For a worker that has it in its hands at its deadline, and says so. */
const MARGIN_MS = 5_000;

/**
 * Takes calls out of their queue that nobody gets and nobody waits for: JetStream gave them up, and the word of that was
 * lost, or no worker ever came. A call whose deadline passed is ended by then, and is sent under another one if ever again.
 */
export class LeftMessages {
  #from = 1;
  #lookedAtMs = -Infinity;
  /** Messages that could not be read, by their sequence. */
  readonly #told = new Set<number>();

  constructor(private readonly parts: LeftMessagesParts) {}

  async look(): Promise<void> {
    const { connection, everyMs } = this.parts;
    if (performance.now() - this.#lookedAtMs < everyMs) return;
    this.#lookedAtMs = performance.now();
    // What is in the hands of consumers is left to them: a healthy queue is not read at all.
    if ((await countLying(connection, 'TOOLS')) > 0) await this.#walk();
  }

  async #walk(): Promise<void> {
    const { pool, connection, logger } = this.parts;
    const { nowMs } = await readClock(pool);
    const page = { stream: 'TOOLS', from: this.#from, limit: PAGE, schema: toolCallMessageSchema } as const;
    let read = 0;
    let failures = 0;
    for await (const { sequence, body, failure } of walkStream(connection, page)) {
      read += 1;
      this.#from = sequence + 1;
      if (failure) {
        this.#tellUnread(sequence, failure);
        // The next look goes on behind it, and comes back to it in its turn.
        if (++failures === MAX_FAILURES) return;
      }
      if (body === undefined || body.ticket.deadlineMs + MARGIN_MS > nowMs) continue;
      await dropGivenUp(connection, { stream: 'TOOLS', sequence });
      const { dispatchId, tool, pool: name } = body.call;
      logger.warn(
        { sequence, dispatchId, tool, pool: name },
        'call that nobody waits for taken out of its queue',
      );
    }
    if (read < PAGE) this.#from = 1;
  }

  /** Once of each: it is tried again with every walk. */
  #tellUnread(sequence: number, error: Error): void {
    if (this.#told.has(sequence)) return;
    if (this.#told.size >= MAX_TOLD) this.#told.clear();
    this.#told.add(sequence);
    this.parts.logger.warn({ sequence, err: error }, 'call in its queue cannot be read for now');
  }
}
