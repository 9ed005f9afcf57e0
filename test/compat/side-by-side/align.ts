/** An element of one list, or one of each that stand for the same. */
export type Pair<T> =
  { readonly theirs: T; readonly ours: T } | { readonly theirs: T } | { readonly ours: T };

/** Two lists as one, in order: elements of the same line stand beside each other, as many as can. */
export function align<T>(theirs: readonly T[], ours: readonly T[], lineOf: (one: T) => string): Pair<T>[] {
  const left = theirs.map(lineOf);
  const right = ours.map(lineOf);
  const common = lengths(left, right);
  const pairs: Pair<T>[] = [];
  let [i, j] = [0, 0];
  while (i < theirs.length || j < ours.length) {
    const [a, b] = [theirs[i] as T, ours[j] as T];
    if (i < theirs.length && j < ours.length && left[i] === right[j]) {
      pairs.push({ theirs: a, ours: b });
      i += 1;
      j += 1;
    } else if (j >= ours.length || (i < theirs.length && at(common, i + 1, j) >= at(common, i, j + 1))) {
      pairs.push({ theirs: a });
      i += 1;
    } else {
      pairs.push({ ours: b });
      j += 1;
    }
  }
  return pairs;
}

/** For each two places, how many elements of the same line there are from them on. */
function lengths(left: readonly string[], right: readonly string[]): number[][] {
  const common = Array.from({ length: left.length + 1 }, () => Array<number>(right.length + 1).fill(0));
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      const row = common[i] as number[];
      row[j] =
        left[i] === right[j]
          ? at(common, i + 1, j + 1) + 1
          : Math.max(at(common, i + 1, j), at(common, i, j + 1));
    }
  }
  return common;
}

function at(common: readonly number[][], i: number, j: number): number {
  return common[i]?.[j] ?? 0;
}
