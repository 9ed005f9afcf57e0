import { type StackProcess } from '@skein/stack';
import { nodeProcesses } from '../../inside-processes';
import { residentKibibytes, sharedKibibytes } from '../../process-figures';
import { scrape } from '../../scrape';

const LAG = 'nodejs_eventloop_lag_seconds';

/** How late the event loop was since the process began: how often by no more than so many seconds. */
export type LagCounts = ReadonlyMap<number, number>;

/** Of one process, one after another; the counts only of ours. */
export interface ProcessLooks {
  readonly atMs: number[];
  readonly residentKib: number[];
  readonly lags: LagCounts[];
}

/** Adds a look at each process to those there are, by its name. */
export async function lookAt(
  processes: readonly StackProcess[],
  looks: Map<string, ProcessLooks>,
): Promise<void> {
  for (const { name, app, pid } of processes) {
    const { atMs, residentKib } = looksOf(looks, name);
    atMs.push(performance.now());
    // PostgreSQL has a process for every connection.
    residentKib.push(app === 'postgres' ? sharedKibibytes(pid) : residentKibibytes(pid));
  }
  for (const { name, healthUrl } of nodeProcesses(processes)) {
    const scraped = await scrape(healthUrl);
    const counts = [...scraped].flatMap(([series, count]) => {
      const [, bound] = new RegExp(`^${LAG}_bucket\\{.*le="([^"]+)"`).exec(series) ?? [];
      return bound === undefined ? [] : [[Number(bound.replace('+Inf', 'Infinity')), count] as const];
    });
    looksOf(looks, name).lags.push(new Map(counts));
  }
}

function looksOf(looks: Map<string, ProcessLooks>, name: string): ProcessLooks {
  const known = looks.get(name) ?? { atMs: [], residentKib: [], lags: [] };
  looks.set(name, known);
  return known;
}
