import { AdkError, type RunPointer } from '@skein/contracts';
import { type SessionRpc } from '@skein/session-client';
import { ActiveRun } from '../run/active-run';
import { type ActiveRuns } from '../run/active-runs';

const CREDIT_WAIT_MS = 1_000;

/** Takes pointers to queued invocations: those that found no runner with credit when they were submitted. */
export class RunPointerConsumer {
  constructor(
    private readonly runnerId: string,
    private readonly runs: ActiveRuns,
    private readonly rpc: SessionRpc,
    private readonly work: (run: ActiveRun) => Promise<void>,
  ) {}

  /** Settling means that the pointer has served: any definite answer to the claim is one. */
  async handle({ invocationId }: RunPointer, signal: AbortSignal): Promise<void> {
    // Not for long: another runner may have credit meanwhile.
    if (!(await this.runs.untilCredit(CREDIT_WAIT_MS, signal))) throw noCredit();
    // The same for a redelivered pointer, so that a claim whose answer was lost is answered again.
    const claimId = `${this.runnerId}:${invocationId}`;
    const { handover } = await this.rpc.claim({ runnerId: this.runnerId, invocationId, claimId });
    if (!handover || this.runs.begin(new ActiveRun(handover), this.work)) return;
    // The credit went to another run while the claim was under way.
    await this.rpc.release({ runnerId: this.runnerId, invocationId, epoch: handover.epoch });
  }
}

function noCredit(): AdkError {
  return new AdkError('unavailable', 'runner.no-credit', 'This runner takes no more runs at the moment.', {
    retryAfterMs: 50,
  });
}
