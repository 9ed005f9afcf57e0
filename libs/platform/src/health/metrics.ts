export type Labels = Readonly<Record<string, string | number>>;

export interface Counter {
  increment(labels?: Labels, by?: number): void;
}

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  /** Series by their label text. */
  read(): Iterable<readonly [labels: string, value: number]>;
}

/** The figures of one process, in Prometheus' text form. Names are chosen by us; label values are escaped. */
export class Metrics {
  readonly #metrics = new Map<string, Metric>();

  /** A sum that only grows. */
  counter(name: string, help: string): Counter {
    const series = new Map<string, number>();
    this.#register({ name, help, type: 'counter', read: () => series });
    return {
      increment: (labels = {}, by = 1) => {
        const text = labelText(labels);
        series.set(text, (series.get(text) ?? 0) + by);
      },
    };
  }

  /** A figure read whenever somebody asks for it. */
  gauge(name: string, help: string, read: () => number): void {
    this.#register({ name, help, type: 'gauge', read: () => [['', read()]] });
  }

  render(): string {
    return [...this.#metrics.values()].map(renderMetric).join('');
  }

  #register(metric: Metric): void {
    if (this.#metrics.has(metric.name)) throw new Error(`metric ${metric.name} is registered twice`);
    this.#metrics.set(metric.name, metric);
  }
}

function renderMetric(metric: Metric): string {
  const { name, help, type } = metric;
  const lines = [...metric.read()].map(([labels, value]) => `${name}${labels} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(String(value))}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
