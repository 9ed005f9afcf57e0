import {
  attemptOf,
  subjects,
  TAKEN_WITHIN_MS,
  type TakenResult,
  type ToolResultMessage,
  toolResultMessageSchema,
  unstorablePart,
} from '@skein/contracts';
import { type MessagingConnection, type RpcServer, serveRpc } from '@skein/messaging';
import { LRUCache } from 'lru-cache';
import { type LeaseKeeper } from '../lease/lease-keeper';
import { type ActiveRun } from '../run/active-run';
import { type ActiveRuns } from '../run/active-runs';
import { isStoredInTime } from './stored-in-time';

/** Longer than session-svc waits before it asks for one, at any rate of calls one process can have. */
const REMEMBERED = 10_000;
/** Less than its worker waits: the answer has its way, and waits for others at a lane. */
const STORED_WITHIN_MS = TAKEN_WITHIN_MS - 20;
/** Each waits for its unit, so all that one process can have must fit at once. */
const CONCURRENCY = 4_096;

/**
 * Results that workers ask this runner to take, past session-svc and its queue: a worker that hears that its result is stored
 * sends it nowhere else. Of any other answer, and of none, session-svc brings it (ADR 35).
 */
export class TakenResults {
  /** By the attempt whose result it is. */
  readonly #applied = new LRUCache<string, string>({ max: REMEMBERED });

  constructor(
    private readonly runs: Pick<ActiveRuns, 'get'>,
    private readonly leases: Pick<LeaseKeeper, 'enforce'>,
  ) {}

  serve(connection: MessagingConnection, runnerId: string): RpcServer {
    return serveRpc(connection, subjects.answer(runnerId), {
      schema: toolResultMessageSchema,
      concurrency: CONCURRENCY,
      // Nobody has looked at its ticket: what lies elsewhere session-svc reads, so many at once, when it has.
      isInlineOnly: true,
      handler: async (result) => this.take(result),
    });
  }

  async take(result: ToolResultMessage): Promise<TakenResult> {
    return { disposition: (await this.#isTaken(result)) ? 'applied' : 'unknown' };
  }

  /** Whether this result is stored in its response event, as far as is remembered here; its run may be over. */
  isApplied(result: ToolResultMessage): boolean {
    return this.#applied.get(result.ticket.dispatchId) === attemptOf(result);
  }

  async #isTaken(result: ToolResultMessage): Promise<boolean> {
    // Whether a failure is tried again, and leaves a letter, is decided before anybody reads of it. What cannot be stored is one.
    if (result.outcome.kind !== 'result' || unstorablePart(result)) return false;
    if (this.isApplied(result)) return true;
    this.leases.enforce();
    const run = this.runs.get(result.invocationId);
    if (!run || run.signal.aborted || !run.pendingCalls.settleHeard(result)) return false;
    this.#remember(run, result);
    // Another one of the call may have come first.
    return (await isStoredInTime(run, result.ticket.dispatchId, STORED_WITHIN_MS)) && this.isApplied(result);
  }

  /** Once it is stored, also when its worker does not wait for that any more. */
  #remember(run: ActiveRun, result: ToolResultMessage): void {
    const { dispatchId } = result.ticket;
    run.pipeline?.whenApplied(dispatchId).then(
      () => {
        if (run.pendingCalls.wasHeard(result)) this.#applied.set(dispatchId, attemptOf(result));
      },
      () => undefined,
    );
  }
}
