import { AdkError, type AgainCall, type AgainVerdict } from '@skein/contracts';
import { type Logger } from '@skein/platform';
import { beginAgain, isRedrive, returnCall, type StorePool } from '@skein/session-store';
import { type Admission } from './admission';
import { type CallPasses } from './call-passes';

export interface CallsAgainParts {
  readonly pool: StorePool;
  readonly passes: Pick<CallPasses, 'check'>;
  readonly admission: Pick<Admission, 'queued' | 'ended'>;
  readonly secret: string;
  readonly logger: Logger;
}

/**
 * Calls that come to a worker after another one may have died of them. Which of those that died together was to blame nobody
 * knows: each of their starts is counted, and the fewer are left the fewer of them run beside each other.
 */
export class CallsAgain {
  constructor(private readonly parts: CallsAgainParts) {}

  async take(request: AgainCall): Promise<AgainVerdict> {
    const { pool, passes, secret, logger } = this.parts;
    const { tool, ticket, started, beside } = request;
    try {
      await passes.check({ tool, ticket });
    } catch (error) {
      if (AdkError.from(error).code === 'call.over') return { verdict: 'over' };
      throw error;
    }
    // A redrive is one attempt, whose starts before are with its letter.
    if (isRedrive(secret, tool, ticket))
      return { verdict: started > 0 ? 'spent' : 'run', attempt: ticket.attempt };
    const begun = await beginAgain(pool, request);
    const fields = { dispatchId: ticket.dispatchId, tool, beside };
    switch (begun.kind) {
      case 'over':
        return { verdict: 'over' };
      case 'crowded':
        return { verdict: (await this.#putBack(request, begun.inAttempt)) ? 'returned' : 'over' };
      case 'run':
      case 'spent':
        logger.info(
          { ...fields, attempt: begun.attempt },
          begun.kind === 'run' ? 'call begun again' : 'call is spent',
        );
        return { verdict: begun.kind, attempt: begun.attempt };
    }
  }

  async #putBack(request: AgainCall, started: number): Promise<boolean> {
    const { pool, admission, logger } = this.parts;
    const { ticket, tool, beside } = request;
    const back = await returnCall(pool, { ...request, started, reason: 'crowded' });
    if (!back) return false;
    const waitMs = Math.round(back.waitMs);
    logger.info({ dispatchId: ticket.dispatchId, tool, beside, waitMs }, 'call waits to be begun again');
    admission.queued(back.pool, back.waitMs);
    // Its place is free meanwhile.
    admission.ended();
    return true;
  }
}
