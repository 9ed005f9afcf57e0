import { type Figures, round } from '../../report';

/** `p50Ms1` of Restate is `restateP50Ms1`; ours keep their names. */
export function named<T>(prefix: string, figures: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  if (prefix === '') return figures;
  const name = (figure: string): string => prefix + figure.charAt(0).toUpperCase() + figure.slice(1);
  return Object.fromEntries(Object.entries(figures).map(([figure, value]) => [name(figure), value]));
}

/** Ours / theirs: of the turn of all, and alone also of that with a tool that may change something. */
export function ratios(figures: Figures): Figures {
  const others = {
    Restate: 'restate',
    Dbos: 'dbos',
    AdkJs: 'adkJs',
    AdkJsInMemory: 'adkJsInMemory',
    Skeleton: 'skeleton',
  };
  const over = (ours: string, theirs: string): number =>
    round((figures[ours] ?? NaN) / (figures[theirs] ?? NaN));
  return Object.fromEntries(
    Object.entries(others).flatMap(([label, name]) => [
      [`throughputVs${label}`, over('turnsPerSecond64', `${name}TurnsPerSecond64`)],
      [`p50Vs${label}`, over('p50Ms1', `${name}P50Ms1`)],
      [`putP50Vs${label}`, over('putP50Ms1', `${name}P50Ms1`)],
    ]),
  );
}
