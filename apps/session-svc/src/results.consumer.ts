import { Controller, UseFilters } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { AdkError, type ToolResultMessage } from '@skein/contracts';
import { PassErrorFilter } from '@skein/messaging';
import { type Logger } from '@skein/platform';
import {
  isGenuine,
  isRedrive,
  markForwarded,
  type ResultDisposition,
  retryCall,
  storeResult,
  type StorePool,
} from '@skein/session-store';
import { type Admission } from './admission';
import { isDead } from './dead-results';
import { type Redrives } from './redrives';
import { type ResultForwarder } from './result-forwarder';
import { type ServiceMetrics } from './service-metrics';
import { type WorkerTrust } from './worker-trust';

export const RESULTS_PATTERN = 'RESULTS';

const NO_ACTIONS = {
  stateDelta: {},
  artifactDelta: {},
  requestedAuthConfigs: {},
  requestedToolConfirmations: {},
};

/** A class, because Nest injects by type. */
export abstract class ResultsParts {
  abstract readonly pool: StorePool;
  abstract readonly forwarder: ResultForwarder;
  abstract readonly admission: Pick<Admission, 'queued' | 'ended'>;
  abstract readonly trust: Pick<WorkerTrust, 'offended'>;
  abstract readonly redrives: Redrives;
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
  async take(@Payload() result: ToolResultMessage): Promise<void> {
    const { pool, forwarder, redrives, metrics, secret, logger } = this.parts;
    const { tool } = result;
    const { dispatchId } = result.ticket;
    if (!isGenuine(secret, tool, result.ticket)) {
      metrics.results.increment({ disposition: 'forged' });
      this.parts.trust.offended(result.execution.worker, 'forged');
      throw new AdkError('denied', 'result.forged', `The ticket of a result of ${tool} was not issued here.`);
    }
    if (isRedrive(secret, tool, result.ticket)) return redrives.take(result);
    if (await this.#isTriedAgain(result)) return;
    // Stored before anybody may apply it: the end of a call and its dead letter are one transaction.
    const forwarded = isDead(result) ? undefined : await forwarder.forward(result);
    if (forwarded?.disposition === 'applied') {
      metrics.results.increment({ disposition: 'applied' });
      return;
    }
    const heldIn = forwarded?.epoch;
    // Also settles a result that came twice or too late: the first one stored or applied has won.
    const stored = await this.#store(result, heldIn);
    metrics.results.increment({ disposition: stored });
    if (stored === 'stored') this.parts.admission.ended();
    if (stored === 'stored' && heldIn === undefined) {
      const { epoch } = await forwarder.forwardStored(result);
      if (epoch !== undefined) await markForwarded(pool, dispatchId, epoch);
    }
    const dropped = { dispatchId, tool, stored };
    // Of a call that was never stored here: its session was deleted, or the database is older than the call.
    if (stored === 'unknown') logger.warn(dropped, 'result dropped');
    else if (stored !== 'stored') logger.info(dropped, 'result dropped');
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
          { dispatchId, tool, attempt: execution.attempt, code: outcome.code, waitMs },
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

  /** One that cannot be stored as it is ends its call all the same: nobody would send another before the deadline. */
  async #store(result: ToolResultMessage, heldIn: number | undefined): Promise<ResultDisposition> {
    const { pool, logger } = this.parts;
    try {
      if (!isDead(result)) return await storeResult(pool, result, { heldIn });
      return await this.#storeDead(result);
    } catch (error) {
      if (AdkError.from(error).kind !== 'invalid') throw error;
      const { tool, ticket } = result;
      logger.warn({ dispatchId: ticket.dispatchId, tool, err: error }, 'result cannot be stored');
      const message = `The result of '${tool}' cannot be stored.`;
      const outcome = { kind: 'error', code: 'tool.unserialisable', message } as const;
      return this.#storeDead({ ...result, outcome, actions: NO_ACTIONS });
    }
  }

  async #storeDead(result: ToolResultMessage): Promise<ResultDisposition> {
    const { pool, metrics } = this.parts;
    const stored = await storeResult(pool, result, { status: 'dead' });
    if (stored === 'stored' && result.outcome.kind === 'error')
      metrics.deadLetters.increment({ code: result.outcome.code });
    return stored;
  }
}
