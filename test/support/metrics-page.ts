import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A row of docs/reference/metrics.md. */
export interface DocumentedMetric {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  /** The apps that have it. */
  readonly apps: readonly string[];
  readonly meaning: string;
}

export const APPS = ['gateway', 'session-svc', 'runner', 'tool-worker'];
const PAGE = path.join(__dirname, '..', '..', 'docs', 'reference', 'metrics.md');

/** Every row of its tables that begins with the name of a metric. */
export function readMetricsPage(): DocumentedMetric[] {
  return readFileSync(PAGE, 'utf8')
    .split('\n')
    .filter((line) => /^\| `(skein|process|nodejs)_/.test(line))
    .map((line) => {
      const [name = '', type = '', labels = '', apps = '', meaning = ''] = line
        .split('|')
        .slice(1)
        .map((cell) => cell.trim());
      return {
        name: name.replaceAll('`', ''),
        type,
        labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label),
        apps: apps === 'all' ? APPS : apps.split(', '),
        meaning,
      };
    });
}

/** What one process shows at /metrics. */
export interface ExposedMetric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  /** Of the series there are; a histogram's own `le` is left out. */
  readonly labels: ReadonlySet<string>;
  readonly series: readonly { readonly text: string; readonly value: number }[];
}

/** Reads Prometheus' text form; throws on a line that is not of it. */
export function parseExposed(text: string): ExposedMetric[] {
  return text
    .split(/^(?=# HELP )/m)
    .filter((block) => block !== '')
    .map((block) => {
      const [, name = '', help = ''] = /^# HELP (\S+) (.*)$/m.exec(block) ?? [];
      const type = /^# TYPE \S+ (\w+)$/m.exec(block)?.[1] ?? '';
      const lines = block.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
      const labels = new Set(
        lines.flatMap((line) => [...line.matchAll(/[{,](\w+)="/g)].map(([, label = '']) => label)),
      );
      labels.delete('le');
      return { name, type, help, labels, series: lines.map((line) => sampleOf(name, line)) };
    });
}

function sampleOf(name: string, line: string): { text: string; value: number } {
  const [, text = '', value = ''] = /^(\w+(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
  const number = Number(value.replace('+Inf', 'Infinity'));
  if (!text.startsWith(name) || Number.isNaN(number)) throw new Error(`no sample of ${name}: ${line}`);
  return { text, value: number };
}
