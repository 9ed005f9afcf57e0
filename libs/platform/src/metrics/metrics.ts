import { setTimeout as delay } from 'node:timers/promises';
import { BoundedSeries } from './bounded-series';
import { type Labels, labelText } from './labels';

export interface Counter {
  increment(labels?: Labels, by?: number): void;
}

export interface Histogram {
  /** In the unit the metric's name ends in. */
  observe(value: number, labels?: Labels): void;
}

/** A figure that is read when somebody asks, or one for each set of labels. */
export type Reading = number | Iterable<readonly [labels: Labels, value: number]>;
type Read = () => Reading | Promise<Reading>;
type Sample = readonly [suffix: string, labels: Labels, value: number];

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly read: () => Iterable<Sample> | Promise<Iterable<Sample>>;
}

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
/** From 5 ms to five minutes: a hop at one end, a model's long answer at the other. */
const DURATION_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const READ_TIMEOUT_MS = 2_000;

/**
 * The figures of one process, in Prometheus' text form. What has no labels is there from the start, as 0. A figure that
 * cannot be read now, as of a server that is away, is left out and keeps no other from being read.
 */
export class Metrics {
  readonly #metrics = new Map<string, Metric>();

  /** A sum that only grows; its name ends in `_total`. */
  counter(name: string, help: string, labelNames: readonly string[] = []): Counter {
    const series = new BoundedSeries(() => ({ sum: 0 }));
    if (labelNames.length === 0) series.of({});
    const read = (): Sample[] => [...series].map(([labels, { sum }]) => ['', labels, sum]);
    this.#register({ name, help, type: 'counter', read });
    return {
      increment: (labels = {}, by = 1) => {
        series.of(labels).sum += by;
      },
    };
  }

  /** How often a figure was at most as high as each of the buckets, and the sum of them all. */
  histogram(
    name: string,
    help: string,
    labelNames: readonly string[] = [],
    buckets: readonly number[] = DURATION_BUCKETS_SECONDS,
  ): Histogram {
    const series = new BoundedSeries(() => new Distribution(buckets));
    if (labelNames.length === 0) series.of({});
    const read = (): Sample[] => [...series].flatMap(([labels, one]) => one.samples(labels));
    this.#register({ name, help, type: 'histogram', read });
    return { observe: (value, labels = {}) => series.of(labels).add(value) };
  }

  /** A figure that goes up and down, read whenever somebody asks for it. */
  gauge(name: string, help: string, read: Read): void {
    this.#register({ name, help, type: 'gauge', read: async () => samplesOf(await read()) });
  }

  /** A sum that somebody else keeps, as the operating system does. */
  sum(name: string, help: string, read: Read): void {
    this.#register({ name, help, type: 'counter', read: async () => samplesOf(await read()) });
  }

  async render(): Promise<string> {
    const all = await Promise.all([...this.#metrics.values()].map(renderMetric));
    return all.join('');
  }

  #register(metric: Metric): void {
    if (this.#metrics.has(metric.name)) throw new Error(`metric ${metric.name} is registered twice`);
    this.#metrics.set(metric.name, metric);
  }
}

class Distribution {
  readonly #counts: number[];
  #sum = 0;

  constructor(private readonly buckets: readonly number[]) {
    this.#counts = Array.from({ length: buckets.length + 1 }, () => 0);
  }

  add(value: number): void {
    const found = this.buckets.findIndex((bound) => value <= bound);
    const bucket = found < 0 ? this.buckets.length : found;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += value;
  }

  samples(labels: Labels): Sample[] {
    let count = 0;
    const buckets = this.#counts.map((one, index): Sample => {
      count += one;
      return ['_bucket', { ...labels, le: this.buckets[index] ?? '+Inf' }, count];
    });
    return [...buckets, ['_sum', labels, this.#sum], ['_count', labels, count]];
  }
}

function samplesOf(reading: Reading): Sample[] {
  if (typeof reading === 'number') return [['', {}, reading]];
  return [...reading].map(([labels, value]) => ['', labels, value]);
}

async function renderMetric({ name, help, type, read }: Metric): Promise<string> {
  const samples = await boundedRead(read);
  const lines = samples.map(([suffix, labels, value]) => `${name}${suffix}${labelText(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

/** Nothing when it fails or takes too long: Prometheus takes a series that is left out for one it does not know. */
async function boundedRead(read: Metric['read']): Promise<Sample[]> {
  const isRead = new AbortController();
  try {
    const late = delay(READ_TIMEOUT_MS, [], { signal: isRead.signal, ref: false }).catch(() => []); // Aborted: it was read.
    return [...(await Promise.race([read(), late]))];
  } catch {
    return []; // Why it is away is in the log of whoever noticed.
  } finally {
    isRead.abort();
  }
}
