import { type Difference } from './differences';

/** A difference that is meant, or that is theirs: what the cases in which it shows find of it, place by place. */
export interface KnownDifference {
  readonly name: string;
  /** Who would have to change: a defect of theirs, a form of theirs where we follow adk-python, or a choice of ours. */
  readonly kind: 'their defect' | 'as adk-python' | 'our departure';
  readonly theirs: string;
  readonly ours: string;
  /** With the rule, or where it is in their code. */
  readonly because: string;
  /** By the name of the case. A `*` in a place stands for any number. */
  readonly cases: Readonly<Record<string, readonly Difference[]>>;
}

/** Whether what was found is what is known of one place. */
export function isKnown(
  found: Difference,
  known: Difference,
  equals: (a: unknown, b: unknown) => boolean,
): boolean {
  const pattern = known.at.split('*').map((piece) => piece.replace(/[.[\]]/g, String.raw`\$&`));
  return (
    new RegExp(`^${pattern.join(String.raw`\d+`)}$`).test(found.at) &&
    equals(found.theirs, known.theirs) &&
    equals(found.ours, known.ours)
  );
}
