import { type Logger } from '@skein/platform';
import { type SessionRpc } from '@skein/session-client';
import { type ActiveRuns } from '../run/active-runs';

/** A third of the lease is the rhythm of renewal; two thirds without success end the runs, before another may begin. */
const RENEWALS_PER_LEASE = 3;

export interface LeaseKeeperParams {
  readonly runnerId: string;
  readonly leaseMs: number;
  readonly runs: ActiveRuns;
  readonly rpc: SessionRpc;
  readonly logger: Logger;
}

/** Renews the leases of every active run in one request, and stops runs whose lease is lost or in doubt. */
export class LeaseKeeper {
  #timer: NodeJS.Timeout | undefined;
  /** Monotonic: a jump of the wall clock must neither keep nor end a lease. */
  #renewedAt = performance.now();
  #renewing = false;

  constructor(private readonly params: LeaseKeeperParams) {}

  start(): void {
    this.#timer = setInterval(() => void this.#tick(), this.params.leaseMs / RENEWALS_PER_LEASE);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #tick(): Promise<void> {
    if (this.#renewing) {
      this.#fenceIfOverdue();
      return;
    }
    this.#renewing = true;
    try {
      await this.#renew();
      this.#renewedAt = performance.now();
    } catch (error) {
      this.params.logger.warn({ err: error }, 'leases could not be renewed');
      this.#fenceIfOverdue();
    } finally {
      this.#renewing = false;
    }
  }

  async #renew(): Promise<void> {
    const { runs, rpc, runnerId } = this.params;
    const active = runs.list();
    if (active.length === 0) return;
    const leases = active.map(({ invocationId, handover }) => ({ invocationId, epoch: handover.epoch }));
    const { held } = await rpc.renew({ runnerId, leases });
    for (const run of active) {
      // A run that ended meanwhile holds nothing, and stopping it does nothing.
      if (!held.includes(run.invocationId)) run.stop('its lease is another runner’s');
    }
  }

  #fenceIfOverdue(): void {
    const { leaseMs, runs } = this.params;
    if (performance.now() - this.#renewedAt < (leaseMs * 2) / RENEWALS_PER_LEASE) return;
    for (const run of runs.list()) run.stop('its lease could not be renewed');
  }
}
