import { AdkError, type ToolResultMessage } from '@skein/contracts';
import { Slots } from '@skein/messaging';
import { type Logger, workIdsOf } from '@skein/platform';
import {
  markForwarded,
  type ResultDisposition,
  storeRedriven,
  storeResult,
  type StorePool,
  type StoreResultOptions,
} from '@skein/session-store';
import { type Admission } from './admission';
import { isDead } from './dead-results';
import { type ResultForwarder } from './result-forwarder';
import { type ServiceMetrics } from '../service-metrics';

export interface EndedCallsParts {
  readonly pool: StorePool;
  readonly forwarder: Pick<ResultForwarder, 'forwardStored'>;
  readonly admission: Pick<Admission, 'ended'>;
  readonly metrics: Pick<ServiceMetrics, 'deadLetters'>;
  readonly logger: Logger;
}

/**
 * Results that are stored at once. A user's calls end in clumps: with every connection of the pool, theirs would keep what all
 * others append waiting for the disk, and then for it once more.
 */
const STORED_AT_ONCE = 4;

type EndOptions = Pick<StoreResultOptions, 'heldIn' | 'upToAttempt'>;

/** Of a call that its tool did not answer. */
export const NO_ACTIONS = {
  stateDelta: {},
  artifactDelta: {},
  requestedAuthConfigs: {},
  requestedToolConfirmations: {},
};

/**
 * The one place where a call ends that no runner has applied: its result is stored, with a dead letter where the plane ended
 * it; it is counted, its owner is told, and its place goes to the next.
 */
export class EndedCalls {
  readonly #storing = new Slots(STORED_AT_ONCE);

  constructor(private readonly parts: EndedCallsParts) {}

  /** Whoever waits for the call is told, unless it has the result in hand. Only the first end of a call counts. */
  async end(result: ToolResultMessage, options: EndOptions = {}): Promise<ResultDisposition> {
    const { pool, forwarder } = this.parts;
    const stored = await this.#storeAtAnyRate(result, options);
    if (stored !== 'stored' || options.heldIn !== undefined) return stored;
    const { epoch } = await forwarder.forwardStored(result);
    if (epoch !== undefined) await markForwarded(pool, result.ticket.dispatchId, epoch);
    return stored;
  }

  /**
   * Ends what a sweep found; answers whether this did. Its owner has it from the sweep too: asked here, those that do not
   * answer would keep all calls behind theirs waiting. Never rejects: what cannot be ended now is found again.
   */
  async giveUp(result: ToolResultMessage): Promise<boolean> {
    const { tool, ticket, outcome } = result;
    const code = outcome.kind === 'error' ? outcome.code : outcome.kind;
    const fields = { ...workIdsOf(result), dispatchId: ticket.dispatchId, tool, code };
    try {
      if ((await this.#store(result)) !== 'stored') return false;
      this.parts.logger.warn(fields, 'call given up');
      return true;
    } catch (error) {
      this.parts.logger.warn({ ...fields, err: error }, 'call not ended, the next sweep tries again');
      return false;
    }
  }

  /** What a call came to that was sent again by hand is kept with its letter; no run hears of it. */
  async endRedriven(result: ToolResultMessage): Promise<void> {
    const { pool, admission, logger } = this.parts;
    const { dispatchId, attempt } = result.ticket;
    const isKept = await storeRedriven(pool, result);
    if (isKept) admission.ended();
    const { tool, outcome } = result;
    const fields = { ...workIdsOf(result), dispatchId, attempt, tool, outcome: outcome.kind };
    logger.info(fields, isKept ? 'redriven call ended' : 'result of a redrive dropped');
  }

  /** Calls were ended in the database, with their run or because nobody waits for them any more. */
  closed(): void {
    this.parts.admission.ended();
  }

  /** One that cannot be stored as it is ends its call all the same: nobody would send another before the deadline. */
  async #storeAtAnyRate(result: ToolResultMessage, options: EndOptions): Promise<ResultDisposition> {
    try {
      return await this.#store(result, options);
    } catch (error) {
      if (AdkError.from(error).kind !== 'invalid') throw error;
      const { tool, ticket } = result;
      const fields = { ...workIdsOf(result), dispatchId: ticket.dispatchId, tool, err: error };
      this.parts.logger.warn(fields, 'result cannot be stored');
      const message = `The result of '${tool}' cannot be stored.`;
      const outcome = { kind: 'error', code: 'tool.unserialisable', message } as const;
      return this.#store({ ...result, outcome, actions: NO_ACTIONS });
    }
  }

  async #store(result: ToolResultMessage, options: EndOptions = {}): Promise<ResultDisposition> {
    const { pool, admission, metrics } = this.parts;
    const status = isDead(result) ? 'dead' : 'done';
    const stored = await this.#storing.run(() => storeResult(pool, result, { ...options, status }));
    if (stored !== 'stored') return stored;
    if (status === 'dead' && result.outcome.kind === 'error')
      metrics.deadLetters.increment({ code: result.outcome.code });
    admission.ended();
    return stored;
  }
}
