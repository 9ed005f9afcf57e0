import { type WorkerAnnouncement } from '@skein/contracts';
import { LRUCache } from 'lru-cache';
import { type WorkerTrust } from '../workers/worker-trust';

/** Longer than a worker takes to notice by itself that a call's time is over, and to say so. */
const NOTICED_MS = 10_000;
/** A call that somebody sends again by hand runs under the same id: then it is one. */
const REMEMBERED_MS = 30_000;
const REMEMBERED_CALLS = 10_000;

/** Notices workers that go on saying that they run what was ended without them, as one does that never lets go of a call. */
export class FalseClaims {
  readonly #endedAtMs = new LRUCache<string, number>({ max: REMEMBERED_CALLS });

  constructor(
    private readonly trust: Pick<WorkerTrust, 'offended'>,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** The call's deadline passed without a result. */
  ended(dispatchId: string): void {
    this.#endedAtMs.set(dispatchId, this.nowMs());
  }

  /** Once for each call, however often it is claimed. */
  heard({ worker, running }: Pick<WorkerAnnouncement, 'worker' | 'running'>): void {
    for (const dispatchId of running) {
      const endedAtMs = this.#endedAtMs.get(dispatchId);
      if (endedAtMs === undefined) continue;
      const endedMsAgo = this.nowMs() - endedAtMs;
      if (endedMsAgo <= NOTICED_MS) continue;
      this.#endedAtMs.delete(dispatchId);
      if (endedMsAgo <= REMEMBERED_MS) this.trust.offended(worker, 'overdue');
    }
  }
}
