/** A small change of the engine that breaks a rule, and the test that has to notice. */
export interface Mutation {
  /** The rule's number, as in B26. */
  readonly rule: number;
  /** What the changed engine does wrong. */
  readonly name: string;
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly from: string;
  readonly to: string;
  readonly spec: string;
  /** A part of the test's name; the whole of it, with its groups, names the rule. */
  readonly test: string;
}

/** The source with the change in it. Throws when `from` is not found, or found twice. */
export function mutated(source: string, { file, from, to }: Pick<Mutation, 'file' | 'from' | 'to'>): string {
  const [before, after, ...others] = source.split(from);
  if (before === undefined || after === undefined) throw new Error(`${file} no longer holds: ${from}`);
  if (others.length > 0) throw new Error(`${file} holds more than once: ${from}`);
  return before + to + after;
}
