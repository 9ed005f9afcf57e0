/** A test as its source names it; rows of a table that name no rule of their own are one test. */
export interface NamedTest {
  /** From the repository's root. */
  readonly file: string;
  /** The titles around it, then its own. */
  readonly titles: readonly string[];
}

const RULE = /\bB([1-9]\d?)\b/g;

/** The name as jest shows it, for searching. */
export function fullName({ titles }: NamedTest): string {
  return titles.join(' ');
}

/** The numbers of the rules that a text names, as in `(B26, B31)`. */
export function rulesNamedIn(text: string): readonly number[] {
  return [...text.matchAll(RULE)].map(([, number]) => Number(number));
}
