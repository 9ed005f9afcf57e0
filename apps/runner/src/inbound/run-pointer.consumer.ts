import { AdkError, type RunPointer } from '@skein/contracts';
import { type Delivery } from '@skein/messaging';
import { type SessionRpc } from '@skein/session-client';
import { ActiveRun } from '../run/active-run';
import { type ActiveRuns } from '../run/active-runs';

type PointerDelivery = Pick<Delivery, 'streamSequence' | 'signal'>;

const PLACE_WAIT_MS = 1_000;

/** Takes pointers to queued invocations: as many as found no runner with credit when they were submitted. */
export class RunPointerConsumer {
  constructor(
    private readonly runnerId: string,
    private readonly runs: ActiveRuns,
    private readonly rpc: SessionRpc,
    private readonly work: (run: ActiveRun) => Promise<void>,
  ) {}

  /**
   * Settling means that the pointer has served: any definite answer to the claim is one. What is claimed is whatever has its
   * turn; with as many pointers as wait, each of them is claimed for one.
   */
  async handle({ invocationId }: RunPointer, { streamSequence, signal }: PointerDelivery): Promise<void> {
    // Not for long: another runner may have room meanwhile.
    const place = await this.runs.keepPlace(PLACE_WAIT_MS, signal);
    if (!place) throw noCredit();
    try {
      // The same for a redelivered pointer, so that a claim whose answer was lost is answered again.
      const claimId = `${this.runnerId}:${invocationId}:${streamSequence}`;
      const claim = { runnerId: this.runnerId, invocationId, claimId, inTurn: true };
      const { handover } = await this.rpc.claim(claim);
      if (!handover || this.runs.begin(new ActiveRun(handover), this.work, place)) return;
      // This runner takes no more runs by now.
      const { epoch } = handover;
      await this.rpc.release({ runnerId: this.runnerId, invocationId: handover.invocationId, epoch });
    } finally {
      this.runs.giveUp(place);
    }
  }
}

function noCredit(): AdkError {
  return new AdkError('unavailable', 'runner.no-credit', 'This runner takes no more runs at the moment.', {
    retryAfterMs: 50,
  });
}
