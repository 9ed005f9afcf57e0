import { writeSync } from 'node:fs';
import path from 'node:path';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { GUARD_FD, MEMORY_NOTE } from '../guard-note';
import { endGroup } from './end-group';

const LOOK_MS = 50;

interface Guarded {
  readonly parentPid: number;
  readonly limitBytes: number;
}

/**
 * Watches this process from a thread, because its loop may be blocked: ends it, and the programs it started, when it takes more
 * memory than it may, buffers and native memory included, and when the process that started it is gone.
 */
export function startProcessGuard(limitBytes: number): void {
  const guarded: Guarded = { parentPid: process.ppid, limitBytes };
  const resourceLimits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 };
  const guard = new Worker(path.join(__dirname, 'process-guard.js'), { workerData: guarded, resourceLimits });
  // A process without its guard would have no bound.
  guard.on('error', endGroup);
  guard.unref();
}

function look({ parentPid, limitBytes }: Guarded): void {
  if (process.memoryUsage.rss() > limitBytes) {
    writeSync(GUARD_FD, MEMORY_NOTE);
  } else if (process.ppid === parentPid) {
    return;
  }
  endGroup();
}

if (!isMainThread && isGuarded(workerData)) {
  const guarded = workerData;
  setInterval(() => look(guarded), LOOK_MS);
}

function isGuarded(data: unknown): data is Guarded {
  return typeof data === 'object' && data !== null && 'parentPid' in data;
}
