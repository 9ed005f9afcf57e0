import { setTimeout as wait } from 'node:timers/promises';
import { type SessionRpc } from '@skein/session-client';
import { type ActiveRuns } from './active-runs';

/** Lets the runs end by themselves for a while, then stops what is left and hands it to another runner. */
export async function giveBack(
  runs: ActiveRuns,
  rpc: SessionRpc,
  runnerId: string,
  drainMs: number,
): Promise<void> {
  const deadline = new AbortController();
  await Promise.race([runs.drained(), wait(drainMs, undefined, { signal: deadline.signal })]);
  deadline.abort();
  await Promise.allSettled(
    runs.list().map(async (run) => {
      run.stop('this runner is going away');
      await rpc.release({ runnerId, invocationId: run.invocationId, epoch: run.handover.epoch });
    }),
  );
}
