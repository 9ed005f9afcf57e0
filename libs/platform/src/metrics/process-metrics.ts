import { readdir, readFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { type Metrics } from './metrics';

const LAG_SAMPLE_MS = 250;
const LAG_BUCKETS_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export interface ProcessFacts {
  /** As `gateway`. */
  readonly service: string;
  readonly version: string;
}

/** What every process tells of itself, under the names Prometheus' own clients use; for as long as it lives. */
export function measureProcess(metrics: Metrics, { service, version }: ProcessFacts): void {
  const build = { service, version, node: process.versions.node };
  metrics.gauge('skein_build_info', 'What runs here; always 1.', () => [[build, 1]]);
  metrics.gauge(
    'process_start_time_seconds',
    'When the process began, in seconds since 1970.',
    () => performance.timeOrigin / 1_000,
  );
  metrics.sum('process_cpu_seconds_total', 'Processor time used, in user and system mode.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  metrics.gauge('process_resident_memory_bytes', 'Memory in RAM.', () => process.memoryUsage.rss());
  metrics.gauge(
    'nodejs_heap_size_used_bytes',
    'JavaScript heap in use.',
    () => process.memoryUsage().heapUsed,
  );
  metrics.gauge(
    'nodejs_external_memory_bytes',
    'Memory of buffers and of what is bound to JavaScript objects.',
    () => process.memoryUsage().external,
  );
  // Linux alone has /proc; elsewhere both are left out.
  metrics.gauge(
    'process_open_fds',
    'Open file descriptors.',
    async () => (await readdir('/proc/self/fd')).length,
  );
  metrics.gauge('process_max_fds', 'How many file descriptors may be open.', maxFds);
  metrics.sum(
    'nodejs_eventloop_active_seconds_total',
    'How long the event loop was at work; its rate is how full it is, from 0 to 1.',
    () => performance.eventLoopUtilization().active / 1_000,
  );
  measureLag(metrics);
}

async function maxFds(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8');
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
}

function measureLag(metrics: Metrics): void {
  const lag = metrics.histogram(
    'nodejs_eventloop_lag_seconds',
    'How much later than asked for a timer ran; looked at four times a second.',
    [],
    LAG_BUCKETS_SECONDS,
  );
  let dueAtMs = performance.now() + LAG_SAMPLE_MS;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    lag.observe(Math.max(0, nowMs - dueAtMs) / 1_000);
    dueAtMs = nowMs + LAG_SAMPLE_MS;
  }, LAG_SAMPLE_MS);
  timer.unref(); // It has no owner to stop it: it is looked at until the process ends, and keeps none from ending.
}
