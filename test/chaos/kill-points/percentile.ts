/** The nearest-rank percentile; of 30 samples the 99th is the largest. */
export function percentile(samples: readonly number[], rank: number): number | undefined {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((rank / 100) * sorted.length) - 1)];
}
