/** What a process shows at /metrics, by series. */
export type Scraped = ReadonlyMap<string, number>;

export async function scrape(healthUrl: string | undefined): Promise<Scraped> {
  if (healthUrl === undefined) throw new Error('this process shows no metrics');
  const text = await (await fetch(new URL('/metrics', healthUrl))).text();
  return new Map(
    [...text.matchAll(/^(\w+(?:\{.*\})?) (\S+)$/gm)].map(([, series = '', value = '']) => [
      series,
      Number(value.replace('+Inf', 'Infinity')),
    ]),
  );
}

/** Of all series of a metric. */
export function total(scraped: Scraped, metric: string): number {
  return [...scraped].reduce(
    (sum, [series, value]) => sum + (series.replace(/\{.*/, '') === metric ? value : 0),
    0,
  );
}
