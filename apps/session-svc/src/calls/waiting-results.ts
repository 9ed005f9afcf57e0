import {
  markForwarded,
  readUnappliedResults,
  type StorePool,
  type UnappliedPosition,
} from '@skein/session-store';
import { type ResultForwarder } from './result-forwarder';

export interface WaitingResultsParts {
  readonly pool: StorePool;
  readonly forwarder: Pick<ResultForwarder, 'ask'>;
}

/** How long a look begins new pages; one whose owners do not answer takes a second by itself. */
const LOOK_MS = 1_000;

/**
 * Results that were stored while nobody ran their invocation, and those of calls that were given up. A look goes on behind
 * the last one, until it has come to the end: however many owners do not answer, the others have theirs.
 */
export class WaitingResults {
  #after: UnappliedPosition | undefined;

  constructor(private readonly parts: WaitingResultsParts) {}

  async forward(signal: AbortSignal): Promise<void> {
    const { pool, forwarder } = this.parts;
    const endsAtMs = performance.now() + LOOK_MS;
    do {
      const { results, next } = await readUnappliedResults(pool, { after: this.#after });
      this.#after = next;
      await Promise.all(
        results.map(async ({ runnerId, result }) => {
          const { epoch } = await forwarder.ask(runnerId, result);
          if (epoch !== undefined) await markForwarded(pool, result.ticket.dispatchId, epoch);
        }),
      );
    } while (this.#after && performance.now() < endsAtMs && !signal.aborted);
  }
}
