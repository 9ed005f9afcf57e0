import { type Context, context } from '@opentelemetry/api';
import { AdkError, type Submit } from '@skein/contracts';
import { type Pool } from 'pg';
import { linkToFirst } from '../append/batch-links';
import { submitInput, type SubmitOptions, type SubmitOutcome } from '../sql/submit-input';
import { type InputRow, submitRow, type SubmitRow, submitRows } from '../sql/submit-rows';

interface Waiting {
  readonly row: InputRow;
  /** The request's own: its trace, not that of whoever's statement it went with. */
  readonly traced: Context;
  readonly resolve: (row: SubmitRow) => void;
  readonly reject: (error: AdkError) => void;
}

/**
 * Two, so that one that waits (for a lock, for the disk) keeps no others waiting; with more, under load, each would leave
 * nearly alone.
 */
const STATEMENTS_AT_ONCE = 2;
/** One transaction keeps each of its sessions until it commits. */
const MAX_ROWS = 32;

/**
 * Group commit of submits, as appends have it: a statement leaves at once while few are under way, and takes what gathered
 * meanwhile. One that fails fails nobody else.
 */
export class SubmitBatcher {
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #isPumpDue = false;

  constructor(private readonly pool: Pool) {}

  /** As `submitInput`. */
  submit(submit: Submit, options: SubmitOptions): Promise<SubmitOutcome> {
    // It reads a history, or locks what is not its session's row: neither is for others to wait for.
    if (reachesFurther(submit)) return submitInput(this.pool, submit, options);
    return submitInput(this.pool, submit, options, (row) => this.#store(row));
  }

  #store(row: InputRow): Promise<SubmitRow> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ row, traced: context.active(), resolve, reject });
      this.#pumpSoon();
    });
  }

  /** After what is runnable now: submits that came in one read of the socket go together. */
  #pumpSoon(): void {
    if (this.#isPumpDue) return;
    this.#isPumpDue = true;
    process.nextTick(() => {
      this.#isPumpDue = false;
      this.#pump();
    });
  }

  #pump(): void {
    while (this.#running < STATEMENTS_AT_ONCE && this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_ROWS);
      this.#running++;
      void this.#settle(batch).finally(() => {
        this.#running--;
        this.#pump();
      });
    }
  }

  /** Never rejects. */
  async #settle(batch: readonly Waiting[]): Promise<void> {
    const [first, ...others] = batch;
    if (!first) return;
    if (others.length === 0) return this.#settleAlone(first);
    linkToFirst(batch.map(({ traced }) => traced));
    try {
      const rows = batch.map(({ row }) => row);
      const stored = await context.with(first.traced, () => submitRows(this.pool, rows));
      for (const [index, row] of stored.entries()) batch[index]?.resolve(row);
    } catch (error) {
      this.#settleFailed(batch, AdkError.from(error));
    }
  }

  /** One bad submit must not fail its neighbours: where it may be one's own fault, each is tried by itself. */
  #settleFailed(batch: readonly Waiting[], error: AdkError): void {
    for (const waiting of batch) {
      if (error.kind === 'unavailable') waiting.reject(error);
      // Nobody waits for it: it may be the one whose session is held.
      else void this.#settleAlone(waiting);
    }
  }

  async #settleAlone({ row, traced, resolve, reject }: Waiting): Promise<void> {
    await context.with(traced, () => submitRow(this.pool, row)).then(resolve, reject);
  }
}

function reachesFurther({ newMessage, invocationId, onBusy }: Submit): boolean {
  return (
    onBusy === 'interrupt' ||
    invocationId !== undefined ||
    (newMessage?.parts?.some(({ functionResponse }) => functionResponse !== undefined) ?? false)
  );
}
