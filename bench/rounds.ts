import { type Figures, quantile, round, type Spread } from './report';

/** Of each figure the median of the rounds. */
export function mediansOf(rounds: readonly Figures[]): Figures {
  return ofEach(rounds, (values) => quantile(values, 0.5));
}

/** Of each figure the least and the greatest of the rounds. */
export function spreadOf(rounds: readonly Figures[]): Spread {
  return ofEach(rounds, (values) => [round(Math.min(...values)), round(Math.max(...values))] as const);
}

function ofEach<T>(rounds: readonly Figures[], summary: (values: number[]) => T): Record<string, T> {
  const names = Object.keys(rounds[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [name, summary(rounds.map((figures) => figures[name] ?? NaN))]),
  );
}
