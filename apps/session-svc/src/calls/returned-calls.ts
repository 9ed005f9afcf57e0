import { AdkError, type ReturnCall, type ReturnedCall } from '@skein/contracts';
import { type Logger, workIdsOf } from '@skein/platform';
import {
  type CallHolder,
  countMisses,
  isRedrive,
  returnCall,
  returnRedriven,
  type StorePool,
} from '@skein/session-store';
import { type Admission } from './admission';
import { type CallPasses } from './call-passes';
import { type WorkerDirectory } from '../workers/worker-directory';

export interface ReturnedCallsParts {
  readonly pool: StorePool;
  readonly passes: Pick<CallPasses, 'check'>;
  readonly workers: Pick<WorkerDirectory, 'names' | 'serves' | 'isInformed'>;
  readonly admission: Pick<Admission, 'queued' | 'ended'>;
  readonly secret: string;
  readonly logger: Logger;
}

/** After so many workers without it nobody seems to have a tool that none names: a toolset may have any, and theirs did not. */
const MAX_MISSES = 10;

/**
 * Calls that workers give back without having begun them. Each waits for its turn again, and ends by its start deadline
 * where it meets no worker that runs it.
 */
export class ReturnedCalls {
  constructor(private readonly parts: ReturnedCallsParts) {}

  async take(request: ReturnCall): Promise<ReturnedCall> {
    const holder = await this.#holderOf(request);
    if (!holder) return { verdict: 'over' };
    if (await this.#isForNobody(holder, request)) return { verdict: 'unknown' };
    return { verdict: (await this.#putBack(request)) ? 'returned' : 'over' };
  }

  async #holderOf({ tool, ticket }: ReturnCall): Promise<CallHolder | undefined> {
    try {
      return await this.parts.passes.check({ tool, ticket });
    } catch (error) {
      if (AdkError.from(error).code === 'call.over') return undefined;
      throw error;
    }
  }

  /** A worker that names the tool may be busy, or away for a moment: as long as one is known, its calls wait for it. */
  async #isForNobody({ appName, pool }: CallHolder, request: ReturnCall): Promise<boolean> {
    const { tool, reason } = request;
    const { workers } = this.parts;
    if (reason === 'unstarted' || !workers.isInformed() || workers.names(appName, tool, pool)) return false;
    if (reason === 'away') return true;
    return workers.serves(appName, tool, pool) && (await countMisses(this.parts.pool, request)) >= MAX_MISSES;
  }

  async #putBack(request: ReturnCall): Promise<boolean> {
    const { pool, admission, secret, logger } = this.parts;
    const { tool, ticket, reason, returned } = request;
    const fields = {
      ...workIdsOf(request),
      dispatchId: ticket.dispatchId,
      tool,
      reason,
      returned: returned + 1,
    };
    const giveBack = isRedrive(secret, tool, ticket) ? returnRedriven : returnCall;
    const back = await giveBack(pool, request);
    if (!back) return false;
    logger.info({ ...fields, waitMs: Math.round(back.waitMs) }, 'call handed back');
    admission.queued(back.pool, back.waitMs);
    // Its place is free meanwhile.
    admission.ended();
    return true;
  }
}
