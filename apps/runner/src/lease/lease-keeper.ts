import { retryTransient } from '@skein/contracts';
import { type Logger } from '@skein/platform';
import { type SessionRpc } from '@skein/session-client';
import { type ActiveRun } from '../run/active-run';
import { type ActiveRuns } from '../run/active-runs';

/** A third of the lease is the rhythm of renewal; two thirds without success end the runs, before another may begin. */
const RENEWALS_PER_LEASE = 3;
/** A claim is handed over while it is made durable, and is nobody's to renew before: in this part of the rhythm it is. */
const FRESH_PART = 0.2;
/** A guess is handed over before the statement of its claim has begun. Renewed a rhythm later, its lease has a good part to go yet. */
const GUESSED_FRESH_PART = 0.6;

export interface LeaseKeeperParams {
  readonly runnerId: string;
  readonly leaseMs: number;
  readonly runs: ActiveRuns;
  readonly rpc: Pick<SessionRpc, 'renew' | 'release'>;
  readonly logger: Logger;
}

/** Renews the leases of every active run in one request, and stops runs whose lease is lost or in doubt. */
export class LeaseKeeper {
  #renewal: NodeJS.Timeout | undefined;
  /** Timers run on the monotonic clock: a jump of the wall clock neither keeps nor ends a lease. */
  #fence: NodeJS.Timeout | undefined;
  #fenceAtMs = Infinity;
  #isRenewing = false;
  readonly #stopped = new AbortController();

  constructor(private readonly params: LeaseKeeperParams) {}

  start(): void {
    const everyMs = this.params.leaseMs / RENEWALS_PER_LEASE;
    this.#renewal = setInterval(() => void this.#renewOnce(), everyMs);
    this.#armFence(0);
  }

  stop(): void {
    clearInterval(this.#renewal);
    clearTimeout(this.#fence);
    this.#stopped.abort(new Error('this runner ends'));
  }

  /**
   * Stops every run whose lease is in doubt by now. To be asked before anything is heard that a run may go on with: a process
   * that was stopped (SIGSTOP) reads what came meanwhile before its timers go off.
   */
  enforce(): void {
    if (performance.now() >= this.#fenceAtMs) this.#stopAll();
  }

  async #renewOnce(): Promise<void> {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    const sentAt = performance.now();
    try {
      await this.#renew();
      // From the sending, not from the answer: the database may have renewed as early as that.
      this.#armFence(performance.now() - sentAt);
    } catch (error) {
      this.params.logger.warn({ err: error }, 'leases could not be renewed');
    } finally {
      this.#isRenewing = false;
    }
  }

  async #renew(): Promise<void> {
    const { runs, rpc, runnerId } = this.params;
    const active = runs.list().filter((run) => !this.#isFresh(run));
    if (active.length === 0) return;
    const leases = active.map(({ invocationId, handover }) => ({ invocationId, epoch: handover.epoch }));
    const { held, cancelRequested } = await rpc.renew({ runnerId, leases });
    for (const run of active) {
      // A run that ended meanwhile holds nothing, and stopping it does nothing.
      if (!held.includes(run.invocationId)) run.stop('its lease is another runner’s');
      else if (cancelRequested.includes(run.invocationId)) run.cancel();
    }
  }

  #isFresh({ beganAtMs, isGuessed }: ActiveRun): boolean {
    const part = isGuessed ? GUESSED_FRESH_PART : FRESH_PART;
    const freshMs = (this.params.leaseMs / RENEWALS_PER_LEASE) * part;
    return performance.now() - beganAtMs < freshMs;
  }

  #armFence(elapsedMs: number): void {
    clearTimeout(this.#fence);
    const afterMs = Math.max(0, (this.params.leaseMs * 2) / RENEWALS_PER_LEASE - elapsedMs);
    this.#fenceAtMs = performance.now() + afterMs;
    this.#fence = setTimeout(() => this.#stopAll(), afterMs);
  }

  #stopAll(): void {
    for (const run of this.params.runs.list().filter(({ stopSignal }) => !stopSignal.aborted)) {
      run.stop('its lease could not be renewed');
      void this.#release(run);
    }
    // Runs that begin from now on have leases of their own.
    this.#armFence(0);
  }

  /** As soon as somebody hears it: a lease that lapses instead counts as an attempt, which an outage must not use up. */
  async #release({ handover: { appName, sessionId, invocationId, epoch } }: ActiveRun): Promise<void> {
    const { rpc, runnerId, logger } = this.params;
    try {
      await retryTransient(() => rpc.release({ runnerId, invocationId, epoch }), {
        signal: this.#stopped.signal,
      });
    } catch (error) {
      const ids = { appName, sessionId, invocationId };
      logger.warn({ ...ids, err: error }, 'a run that was stopped could not be given back');
    }
  }
}
