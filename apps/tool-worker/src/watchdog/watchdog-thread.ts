import { workerData } from 'node:worker_threads';
import { createLogger } from '@skein/platform';
import { BlockedLoop } from './blocked-loop';
import { SharedJournal } from './shared-journal';
import { type WatchdogData, type WatchdogNews } from './watchdog-news';

const TICK_MS = 250;

const { ackWaitMs, service, format, memory } = workerData as WatchdogData; // As the watchdog gives it.
const journal = new SharedJournal(memory);
const loop = new BlockedLoop(ackWaitMs);
let lookedAtMs = performance.now();

setInterval(() => {
  for (const news of journal.read()) loop.hear(news as WatchdogNews); // Nobody else writes there.
  const nowMs = performance.now();
  const blocked = loop.tick(nowMs - lookedAtMs);
  lookedAtMs = nowMs;
  if (!blocked) return;
  createLogger({ service, format }).error(blocked, 'a tool blocks this worker: ending it');
  // A thread cannot exit for its process, and what is blocked hears no softer signal.
  process.kill(process.pid, 'SIGKILL');
}, TICK_MS);
