import {
  attemptOf,
  resultsFor,
  type ToolResultMessage,
  toolResultMessageSchema,
  unstorablePart,
} from '@skein/contracts';
import {
  type CoreSubscription,
  type MessagingConnection,
  subscribeTogether,
  type UndecodedMessage,
} from '@skein/messaging';
import { LRUCache } from 'lru-cache';
import { type LeaseKeeper } from '../lease/lease-keeper';
import { type ActiveRuns } from '../run/active-runs';

/** Longer than session-svc waits before it asks for one, at any rate of calls one process can have. */
const REMEMBERED = 10_000;

/**
 * Results as their workers send them: heard while the work queue stores them, so that a run goes on before session-svc has
 * read them there. Each may be lost; session-svc brings what was not applied (ADR 16).
 */
export class HeardResults {
  /** By the attempt whose result it is. */
  readonly #applied = new LRUCache<string, string>({ max: REMEMBERED });

  constructor(
    private readonly runs: Pick<ActiveRuns, 'get'>,
    private readonly leases: Pick<LeaseKeeper, 'enforce'>,
  ) {}

  hear(connection: MessagingConnection, runnerId: string): CoreSubscription {
    const subscriptions = resultsFor(runnerId).map((subject) => ({
      subject,
      receive: (message: UndecodedMessage) => void this.#read(message),
    }));
    return subscribeTogether(connection, subscriptions);
  }

  /** Nobody has looked at its ticket: what lies elsewhere session-svc reads, so many at once, when it has. */
  async #read({ isInline, decode }: UndecodedMessage): Promise<void> {
    if (!isInline) return;
    try {
      this.take(await decode(toolResultMessageSchema));
    } catch {
      // It is in the work queue as well, where it is refused with a word to its sender.
    }
  }

  take(result: ToolResultMessage): void {
    // Whether a failure is tried again, and leaves a letter, is decided before anybody reads of it. What cannot be stored is one.
    if (result.outcome.kind !== 'result' || unstorablePart(result)) return;
    this.leases.enforce();
    const run = this.runs.get(result.invocationId);
    if (!run || run.signal.aborted || !run.pendingCalls.settleHeard(result)) return;
    const { dispatchId } = result.ticket;
    run.pipeline?.whenApplied(dispatchId).then(
      () => {
        if (run.pendingCalls.wasHeard(result)) this.#applied.set(dispatchId, attemptOf(result));
      },
      () => undefined,
    );
  }

  /** Whether this result is stored in its response event, as far as is remembered here; its run may be over. */
  isApplied(result: ToolResultMessage): boolean {
    return this.#applied.get(result.ticket.dispatchId) === attemptOf(result);
  }
}
