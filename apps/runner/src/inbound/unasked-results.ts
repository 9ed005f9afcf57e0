import { resultsFor, type ToolResultMessage, toolResultMessageSchema } from '@skein/contracts';
import { type CoreSubscription, type MessagingConnection, subscribeTogether } from '@skein/messaging';
import { LRUCache } from 'lru-cache';
import { type ActiveRuns } from '../run/active-runs';

/** Longer than session-svc waits before it asks for one, at any rate of calls one process can have. */
const REMEMBERED = 10_000;

/**
 * Results as their workers send them: heard while the work queue stores them, so that a run goes on before session-svc has
 * read them there. Each may be lost; session-svc brings what was not applied (ADR 16).
 */
export class UnaskedResults {
  readonly #applied = new LRUCache<string, true>({ max: REMEMBERED });

  constructor(private readonly runs: Pick<ActiveRuns, 'get'>) {}

  hear(connection: MessagingConnection, runnerId: string): CoreSubscription {
    const heard = resultsFor(runnerId).map((subject) => ({
      subject,
      // Not awaited: one that is large keeps no other waiting.
      receive: ({
        decode,
      }: {
        decode: (schema: typeof toolResultMessageSchema) => Promise<ToolResultMessage>;
      }) =>
        void decode(toolResultMessageSchema).then(
          (result) => this.take(result),
          // It is in the work queue as well, where it is refused with a word to its sender.
          () => undefined,
        ),
    }));
    return subscribeTogether(connection, heard);
  }

  take(result: ToolResultMessage): void {
    // Whether a failure is tried again, and leaves a letter, is decided before anybody reads of it.
    if (result.outcome.kind !== 'result') return;
    const run = this.runs.get(result.invocationId);
    if (!run || run.signal.aborted || !run.pendingCalls.settleUnasked(result)) return;
    const { dispatchId } = result.ticket;
    run.pipeline?.whenApplied(dispatchId).then(
      () => this.#applied.set(dispatchId, true),
      () => undefined,
    );
  }

  /** Whether the response event of a call is stored, as far as is remembered here; its run may be over. */
  isApplied(dispatchId: string): boolean {
    return this.#applied.has(dispatchId);
  }
}
