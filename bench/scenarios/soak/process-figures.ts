import { type Figures, quantile, round } from '../../report';
import { type LagCounts, type ProcessLooks } from './process-looks';

const MS_PER_HOUR = 3_600_000;

/** Medians of the halves, the slope over the last, and how late the event loop was in each. */
export function processFigures(looks: ReadonlyMap<string, ProcessLooks>): Figures {
  const figures: Record<string, number> = {};
  for (const [name, { atMs, residentKib, lags }] of looks) {
    const middle = Math.floor(residentKib.length / 2);
    figures[`residentKibFirst ${name}`] = quantile(residentKib.slice(0, middle), 0.5);
    figures[`residentKibLast ${name}`] = quantile(residentKib.slice(middle), 0.5);
    figures[`residentKibPerHour ${name}`] = round(
      slope(atMs.slice(middle), residentKib.slice(middle)) * MS_PER_HOUR,
    );
    if (lags.length === 0) continue;
    figures[`loopDelayP99MsFirst ${name}`] = delayP99Ms(lags[0], lags[middle]);
    figures[`loopDelayP99MsLast ${name}`] = delayP99Ms(lags[middle], lags.at(-1));
  }
  return figures;
}

/** Of the line that lies nearest to all points by least squares, in units of y for each of x. */
export function slope(xs: readonly number[], ys: readonly number[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(xs), mean(ys)];
  let both = 0;
  let alone = 0;
  xs.forEach((x, n) => {
    both += (x - meanX) * ((ys[n] ?? NaN) - meanY);
    alone += (x - meanX) ** 2;
  });
  return both / alone;
}

/** The least bound of the histogram that 99 of 100 looks between the two lie under. */
export function delayP99Ms(before: LagCounts = new Map(), after: LagCounts = new Map()): number {
  const under = (bound: number): number => (after.get(bound) ?? NaN) - (before.get(bound) ?? 0);
  const bounds = [...after.keys()].sort((one, other) => one - other);
  const bound = bounds.find((one) => under(one) >= 0.99 * under(Infinity));
  return round((bound ?? NaN) * 1_000);
}
