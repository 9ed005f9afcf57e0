import { cpus, totalmem } from 'node:os';
import { type ServerVersions } from './server-versions';

/** What was measured: each figure by its name in the list of names. */
export type Figures = Readonly<Record<string, number>>;

/** Of a figure that is a median of rounds: the least and the greatest of them. */
export type Spread = Readonly<Record<string, readonly [least: number, greatest: number]>>;

export interface Measured extends ServerVersions {
  readonly figures: Figures;
  readonly spread?: Spread;
  /** What one has to know of the figures that their names do not say. */
  readonly note?: string;
  /** Versions of what stood beside us. */
  readonly peers?: Readonly<Record<string, string>>;
  /** What the figures are made of, where that is of use by itself. */
  readonly samples?: unknown;
}

export interface ScenarioOptions {
  /** For how long a load goes on that has no end of its own. */
  readonly minutes: number;
}
export type Scenario = (options: ScenarioOptions) => Promise<Measured>;

export interface Report {
  readonly suite: string;
  readonly startedAt: string;
  readonly machine: {
    readonly cpus: number;
    readonly model: string;
    readonly memoryGigabytes: number;
    readonly node: string;
    readonly postgres: string;
    readonly nats: string;
    readonly peers?: Readonly<Record<string, string>>;
  };
  readonly note?: string;
  readonly figures: Figures;
  readonly spread?: Spread;
  readonly samples?: unknown;
}

export function createReport(scenario: string, measured: Measured): Report {
  const { figures, spread, note, peers, samples, postgres, nats } = measured;
  return {
    suite: `bench ${scenario}`,
    startedAt: new Date().toISOString(),
    machine: {
      cpus: cpus().length,
      model: cpus()[0]?.model ?? 'unknown',
      memoryGigabytes: round(totalmem() / 2 ** 30),
      node: process.version,
      postgres,
      nats,
      ...(peers && { peers }),
    },
    ...(note !== undefined && { note }),
    figures,
    ...(spread && { spread }),
    ...(samples !== undefined && { samples }),
  };
}

export function printReport({ suite, figures, machine, note, spread = {} }: Report): void {
  console.log(`${suite} on ${machine.cpus} x ${machine.model}, Node ${machine.node}`);
  if (note !== undefined) console.log(note);
  const rows = Object.entries(figures).map(([name, figure]) => {
    const [least, greatest] = spread[name] ?? [];
    return [name, { figure, ...(least !== undefined && { least, greatest }) }];
  });
  console.table(Object.fromEntries(rows));
}

/** The value below which a share of the samples lies; samples need not be sorted. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((one, other) => one - other);
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN);
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
