import { Controller, UseFilters } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { AdkError, senderOfResult, type ToolResultMessage, workerOf } from '@skein/contracts';
import { type Delivery, PassErrorFilter } from '@skein/messaging';
import { type Logger, workIdsOf } from '@skein/platform';
import { purposeOf, retryCall, type StorePool } from '@skein/session-store';
import { type Admission } from './admission';
import { type CallPasses } from './call-passes';
import { isDead } from './dead-results';
import { type EndedCalls } from './ended-calls';
import { storableOf } from './refused-results';
import { type ResultForwarder } from './result-forwarder';
import { type ServiceMetrics } from '../service-metrics';
import { type WorkerTrust } from '../workers/worker-trust';

export const RESULTS_PATTERN = 'RESULTS';

/** Tries of a result whose call left while it is stored: 51 s in all, longer than a statement takes, and being sent again. */
const EARLY_TRIES = 8;
const FIRST_TRY_MS = 200;

/** A class, because Nest injects by type. */
export abstract class ResultsParts {
  abstract readonly pool: StorePool;
  abstract readonly forwarder: ResultForwarder;
  abstract readonly admission: Pick<Admission, 'queued' | 'ended'>;
  abstract readonly trust: Pick<WorkerTrust, 'offended'>;
  abstract readonly passes: Pick<CallPasses, 'isStored'>;
  abstract readonly ended: Pick<EndedCalls, 'end' | 'endRedriven'>;
  abstract readonly metrics: ServiceMetrics;
  abstract readonly secret: string;
  abstract readonly logger: Logger;
}

/** Takes results of tool calls. The message is acked once its result is applied by a runner or stored here. */
@Controller()
@UseFilters(PassErrorFilter)
export class ResultsConsumer {
  constructor(private readonly parts: ResultsParts) {}

  @MessagePattern(RESULTS_PATTERN)
  async take(@Payload() sent: ToolResultMessage, @Ctx() delivery: Delivery): Promise<void> {
    const { subject, deliveryCount } = delivery;
    const { forwarder, ended, metrics, secret, logger } = this.parts;
    const result = storableOf(sent);
    const { tool } = result;
    const { dispatchId } = result.ticket;
    const purpose = purposeOf(secret, tool, result.ticket);
    if (purpose === undefined) {
      metrics.results.increment({ disposition: 'forged' });
      this.parts.trust.offended(workerOf(senderOfResult(subject), result.execution.worker), 'forged');
      throw new AdkError('denied', 'result.forged', `The ticket of a result of ${tool} was not issued here.`);
    }
    if (purpose === 'redrive') return ended.endRedriven(result);
    if (purpose === 'ahead' && !(await this.#isOfStored(result, deliveryCount))) return;
    if (await this.#isTriedAgain(result)) return;
    // Stored before anybody may apply it: the end of a call and its dead letter are one transaction.
    const forwarded = isDead(result) ? undefined : await forwarder.forward(result);
    if (forwarded?.disposition === 'applied') {
      metrics.results.increment({ disposition: 'applied' });
      return;
    }
    const heldIn = forwarded?.epoch;
    // Also settles a result that came twice or too late: the first one stored or applied has won.
    const stored = await ended.end(result, { heldIn });
    metrics.results.increment({ disposition: stored });
    const dropped = { ...workIdsOf(result), dispatchId, tool, stored };
    // Of a call that was never stored here: its session was deleted, or the database is older than the call.
    if (stored === 'unknown') logger.warn(dropped, 'result dropped');
    else if (stored !== 'stored') logger.info(dropped, 'result dropped');
  }

  /** Whether its call, which left while it is stored (ADR 39), is the one that was. It is dropped where another is, or none in time. */
  async #isOfStored(result: ToolResultMessage, deliveryCount: number): Promise<boolean> {
    const { passes, metrics, logger } = this.parts;
    const { tool, ticket } = result;
    const isStored = await passes.isStored(ticket);
    if (isStored === true) return true;
    if (isStored === undefined && deliveryCount <= EARLY_TRIES) throw early(deliveryCount);
    metrics.results.increment({ disposition: 'unknown' });
    const { dispatchId } = ticket;
    logger.info({ ...workIdsOf(result), dispatchId, tool }, 'result of a call that was not stored dropped');
    return false;
  }

  /** Whether another attempt follows, or did already: then nobody is told of this one. */
  async #isTriedAgain(result: ToolResultMessage): Promise<boolean> {
    const { pool, admission, metrics, logger } = this.parts;
    if (result.retry === undefined || result.outcome.kind !== 'error') return false;
    const { dispatchId } = result.ticket;
    const { tool, execution, outcome } = result;
    const verdict = await retryCall(pool, result);
    switch (verdict.kind) {
      case 'queued': {
        const { waitMs } = verdict;
        metrics.results.increment({ disposition: 'retried' });
        logger.info(
          { ...workIdsOf(result), dispatchId, tool, attempt: execution.attempt, code: outcome.code, waitMs },
          'call is tried again',
        );
        admission.queued(verdict.pool, waitMs);
        // Its place is free meanwhile.
        admission.ended();
        return true;
      }
      case 'repeated':
        metrics.results.increment({ disposition: 'duplicate' });
        return true;
      case 'spent':
      case 'over':
        return false;
    }
  }
}

function early(deliveryCount: number): AdkError {
  const retryAfterMs = FIRST_TRY_MS * 2 ** (deliveryCount - 1);
  return new AdkError('unavailable', 'result.early', 'The call of this result is not stored.', {
    retryAfterMs,
  });
}
