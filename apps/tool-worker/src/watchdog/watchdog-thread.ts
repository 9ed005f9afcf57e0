import { parentPort, workerData } from 'node:worker_threads';
import { createLogger } from '@skein/platform';
import { BlockedLoop } from './blocked-loop';
import { type WatchdogData, type WatchdogNews } from './watchdog-news';

const TICK_MS = 250;

const { ackWaitMs, service, format } = workerData as WatchdogData; // As the watchdog gives it.
const loop = new BlockedLoop(ackWaitMs);
let lookedAtMs = performance.now();

parentPort?.on('message', (news: WatchdogNews) => loop.hear(news));
setInterval(() => {
  const nowMs = performance.now();
  const blocked = loop.tick(nowMs - lookedAtMs);
  lookedAtMs = nowMs;
  if (!blocked) return;
  createLogger({ service, format }).error(blocked, 'a tool blocks this worker: ending it');
  // A thread cannot exit for its process, and what is blocked hears no softer signal.
  process.kill(process.pid, 'SIGKILL');
}, TICK_MS);
