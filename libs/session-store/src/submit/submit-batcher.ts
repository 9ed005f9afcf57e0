import { type Context, context } from '@opentelemetry/api';
import { AdkError, type Submit } from '@skein/contracts';
import { type Pool } from 'pg';
import { StatementPump } from '../group-commit/statement-pump';
import { storeInFirstTrace } from '../group-commit/store-in-first-trace';
import { whenLeft } from '../group-commit/when-left';
import { submitInput, type SubmitOptions, type SubmitOutcome } from '../sql/submit-input';
import {
  type InputRow,
  type SubmitListener,
  submitRow,
  type SubmitRow,
  submitRows,
} from '../sql/submit-rows';

interface Waiting {
  readonly row: InputRow;
  readonly listener: SubmitListener;
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

/** Group commit of submits. One that fails fails nobody else. */
export class SubmitBatcher {
  readonly #waiting: Waiting[] = [];
  readonly #pump = new StatementPump<Waiting>({
    atOnce: STATEMENTS_AT_ONCE,
    take: () => this.#waiting.splice(0, MAX_ROWS),
    settle: (batch) => this.#settle(batch),
  });

  constructor(private readonly pool: Pool) {}

  /** As `submitInput`. */
  submit(submit: Submit, options: SubmitOptions): Promise<SubmitOutcome> {
    // It reads a history, or locks what is not its session's row: neither is for others to wait for. Nor is its runner told early:
    // what had to make way has events in this very transaction, which the runner would not find.
    if (reachesFurther(submit)) return submitInput(this.pool, submit, options);
    return submitInput(this.pool, submit, options, (row, listener) => this.#store(row, listener));
  }

  #store(row: InputRow, listener: SubmitListener): Promise<SubmitRow> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ row, listener, traced: context.active(), resolve, reject });
      this.#pump.pumpSoon();
    });
  }

  /** Never rejects. */
  async #settle(batch: readonly Waiting[]): Promise<void> {
    const [first, ...others] = batch;
    if (!first) return;
    if (others.length === 0) return this.#settleAlone(first);
    const requests = batch.map(({ traced }) => traced);
    const rows = batch.map(({ row }) => row);
    try {
      const stored = await storeInFirstTrace(requests, () => submitRows(this.pool, rows));
      for (const [index, row] of stored.entries()) batch[index]?.resolve(row);
    } catch (error) {
      this.#settleFailed(batch, AdkError.from(error));
    }
  }

  /** One bad submit must not fail its neighbours: where it may be one's own fault, each is tried by itself. */
  #settleFailed(batch: readonly Waiting[], error: AdkError): void {
    for (const waiting of batch) {
      if (error.kind === 'unavailable') waiting.reject(error);
      // Nobody waits for it: it may be the one whose session is held. So its claim is not guessed, either.
      else void this.#settleAlone({ ...waiting, listener: { onAnswer: waiting.listener.onAnswer } });
    }
  }

  async #settleAlone({ row, listener, traced, resolve, reject }: Waiting): Promise<void> {
    const { onLeaving, onAnswer } = listener;
    // The connection tells of it in a trace of its own, or in none.
    const onTraced = onAnswer && context.bind(traced, onAnswer);
    if (onLeaving) {
      context.with(traced, onLeaving);
      await whenLeft();
    }
    await context.with(traced, () => submitRow(this.pool, row, onTraced)).then(resolve, reject);
  }
}

function reachesFurther({ newMessage, invocationId, onBusy }: Submit): boolean {
  return (
    onBusy === 'interrupt' ||
    invocationId !== undefined ||
    (newMessage?.parts?.some(({ functionResponse }) => functionResponse !== undefined) ?? false)
  );
}
