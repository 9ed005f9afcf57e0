interface Range {
  readonly start: number;
  readonly end: number;
}

/** Ranges of time on branches, asked which of them hold another range. They are given from the latest to the first. */
export class CompactedRanges {
  /** Per branch only ranges that no other holds, so both their starts and their ends fall along the list. */
  readonly #byBranch = new Map<string | undefined, Range[]>();

  add(branch: string | undefined, range: Range): void {
    const ranges = this.#byBranch.get(branch) ?? [];
    this.#byBranch.set(branch, ranges);
    const index = firstStartingBy(range.start, ranges);
    if ((ranges[index]?.end ?? -Infinity) >= range.end) return;
    // Those just before start later; the ones that also end earlier are held by the new one.
    let from = index;
    while ((ranges[from - 1]?.end ?? Infinity) <= range.end) from--;
    const to = ranges[index]?.start === range.start ? index + 1 : index;
    ranges.splice(from, to - from, range);
  }

  /** Whether a range, on one of the branches that count, holds the given one, both ends included. */
  hold({ start, end }: Range, counts: (branch: string | undefined) => boolean): boolean {
    for (const [branch, ranges] of this.#byBranch) {
      if (!counts(branch)) continue;
      // Of those that start early enough the first ends last.
      const candidate = ranges[firstStartingBy(start, ranges)];
      if (candidate && candidate.end >= end) return true;
    }
    return false;
  }
}

/** The index of the first range, along falling starts, that starts at the time or before it. */
function firstStartingBy(time: number, ranges: readonly Range[]): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.start ?? -Infinity) <= time) high = middle;
    else low = middle + 1;
  }
  return low;
}
