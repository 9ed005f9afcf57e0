import { Controller, UseFilters } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { AdkError, type ToolResultMessage } from '@skein/contracts';
import { PassErrorFilter } from '@skein/messaging';
import { type Logger } from '@skein/platform';
import {
  isGenuine,
  markForwarded,
  type ResultDisposition,
  storeResult,
  type StorePool,
} from '@skein/session-store';
import { type ResultForwarder } from './result-forwarder';
import { type ServiceMetrics } from './service-metrics';

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
    const { pool, forwarder, metrics, secret, logger } = this.parts;
    const { tool } = result;
    const { dispatchId } = result.ticket;
    if (!isGenuine(secret, tool, result.ticket)) {
      metrics.results.increment({ disposition: 'forged' });
      throw new AdkError('denied', 'result.forged', `The ticket of a result of ${tool} was not issued here.`);
    }
    const { disposition, epoch: heldIn } = await forwarder.forward(result);
    if (disposition === 'applied') {
      metrics.results.increment({ disposition });
      return;
    }
    // Also settles a result that came twice or too late: the first one stored or applied has won.
    const stored = await this.#store(result, heldIn);
    metrics.results.increment({ disposition: stored });
    if (stored === 'stored' && heldIn === undefined) {
      const { epoch } = await forwarder.forwardStored(result);
      if (epoch !== undefined) await markForwarded(pool, dispatchId, epoch);
    }
    const dropped = { dispatchId, tool, stored };
    // Of a call that was never stored here: its session was deleted, or the database is older than the call.
    if (stored === 'unknown') logger.warn(dropped, 'result dropped');
    else if (stored !== 'stored') logger.info(dropped, 'result dropped');
  }

  /** One that cannot be stored as it is ends its call all the same: nobody would send another before the deadline. */
  async #store(result: ToolResultMessage, heldIn: number | undefined): Promise<ResultDisposition> {
    const { pool, logger } = this.parts;
    try {
      return await storeResult(pool, result, { heldIn });
    } catch (error) {
      if (AdkError.from(error).kind !== 'invalid') throw error;
      const { tool, ticket } = result;
      logger.warn({ dispatchId: ticket.dispatchId, tool, err: error }, 'result cannot be stored');
      const message = `The result of '${tool}' cannot be stored.`;
      const outcome = { kind: 'error', code: 'tool.unserialisable', message } as const;
      return storeResult(pool, { ...result, outcome, actions: NO_ACTIONS }, {});
    }
  }
}
