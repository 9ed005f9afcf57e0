import { retryTransient } from '@skein/contracts';
import { setTimeout as wait } from 'node:timers/promises';
import { type Logger } from '@skein/platform';
import { type SessionRpc } from '@skein/session-client';
import { type ActiveRun } from './active-run';
import { type ActiveRuns } from './active-runs';

export interface GiveBackPorts {
  readonly runs: ActiveRuns;
  readonly rpc: Pick<SessionRpc, 'release'>;
  readonly runnerId: string;
  readonly logger: Logger;
}

/** A session-svc that is being replaced too is back, or another answers, within this many tries. */
const RELEASE_ATTEMPTS = 5;

/**
 * Hands every run to another runner: each as soon as no step of it is under way, at the latest after `graceMs`. A run
 * that waits for a tool leaves at once.
 */
export async function giveBack(ports: GiveBackPorts, graceMs: number): Promise<void> {
  const over = new AbortController();
  const late = wait(graceMs, undefined, { signal: over.signal }).catch(() => undefined); // All have left.
  await Promise.all(ports.runs.list().map((run) => leave(run, ports, late)));
  over.abort();
}

async function leave(run: ActiveRun, ports: GiveBackPorts, late: Promise<unknown>): Promise<void> {
  const { runs, logger } = ports;
  // A unit that was refused ends the run by itself.
  const stored = (): Promise<unknown> => run.pipeline?.stored().catch(() => undefined) ?? Promise.resolve();
  await Promise.race([runs.ended(run), run.steps.atRest(stored), late]);
  if (runs.get(run.invocationId) !== run) return;
  run.stop('this runner is going away');
  try {
    await release(run, ports);
  } catch (error) {
    const { appName, sessionId, invocationId } = run.handover;
    const ids = { appName, sessionId, invocationId };
    logger.warn({ ...ids, err: error }, 'run could not be handed over: its lease will lapse');
  }
}

function release({ invocationId, handover }: ActiveRun, { rpc, runnerId }: GiveBackPorts): Promise<void> {
  const request = { runnerId, invocationId, epoch: handover.epoch };
  return retryTransient(() => rpc.release(request), { attempts: RELEASE_ATTEMPTS });
}
