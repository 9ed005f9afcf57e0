import { readFileSync, rmSync } from 'node:fs';
import { commandLine } from './process-identity';
import { waitUntil } from './wait-until';

export interface PreviousServer {
  readonly pidFile: string;
  /** What the command line of a server on this data must contain: a pid alone may be anybody's by now. */
  readonly mark: string;
  readonly signal?: AbortSignal | undefined;
  readonly deadlineMs?: number;
}

/**
 * Two servers on one data folder would destroy it. A server whose parent was killed is being ended by its
 * guard, so wait for it to go; one that stays belongs to somebody. A pid file whose process is gone, or is
 * another program by now, is removed, as postgres takes any living process with that pid for a rival.
 */
export async function waitForPreviousServer({
  pidFile,
  mark,
  signal,
  deadlineMs = 15_000,
}: PreviousServer): Promise<void> {
  const pid = readPid(pidFile);
  if (pid === undefined) return;
  const isGone = (): true | undefined => (commandLine(pid)?.includes(mark) ? undefined : true);
  if ((await waitUntil(isGone, { deadlineMs, signal })) === undefined) {
    throw new Error(
      `A server already runs on ${mark} (pid ${pid}): stop it first, or choose another DATA_DIR`,
    );
  }
  rmSync(pidFile, { force: true });
}

function readPid(pidFile: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
    return pid > 0 ? pid : undefined;
  } catch {
    // No pid file: no server.
    return undefined;
  }
}
