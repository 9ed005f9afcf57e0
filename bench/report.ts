import { cpus } from 'node:os';
import { type ServerVersions } from './server-versions';

/** What was measured: each figure by its name in the list of names. */
export type Figures = Readonly<Record<string, number>>;

export interface Measured extends ServerVersions {
  readonly figures: Figures;
}
export type Scenario = () => Promise<Measured>;

export interface Report {
  readonly suite: string;
  readonly startedAt: string;
  readonly machine: { cpus: number; model: string; node: string; postgres: string; nats: string };
  readonly figures: Figures;
}

export function createReport(scenario: string, { figures, postgres, nats }: Measured): Report {
  return {
    suite: `bench ${scenario}`,
    startedAt: new Date().toISOString(),
    machine: {
      cpus: cpus().length,
      model: cpus()[0]?.model ?? 'unknown',
      node: process.version,
      postgres,
      nats,
    },
    figures,
  };
}

export function printReport({ suite, figures, machine }: Report): void {
  console.log(`${suite} on ${machine.cpus} x ${machine.model}, Node ${machine.node}`);
  console.table(figures);
}

/** The value below which a share of the samples lies; samples need not be sorted. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((one, other) => one - other);
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN);
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
