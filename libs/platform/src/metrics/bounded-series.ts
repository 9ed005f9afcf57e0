import { type Labels } from './labels';

/** More than any deployment has tools or models; far less than it has users. */
const MAX_SERIES = 200;
export const OTHER = 'other';

/**
 * What is kept for each set of label values. Names of tools and models are the authors' own, so their number is not ours
 * to know: the sets that come after the first 200 share one, whose values are all `other`.
 */
export class BoundedSeries<T> {
  readonly #series = new Map<string, { readonly labels: Labels; readonly value: T }>();

  constructor(
    private readonly create: () => T,
    private readonly maxSeries = MAX_SERIES,
  ) {}

  of(labels: Labels): T {
    const key = keyOf(labels);
    const known = this.#series.get(key);
    if (known) return known.value;
    if (this.#series.size >= this.maxSeries && !isOther(labels)) return this.of(otherOf(labels));
    const value = this.create();
    this.#series.set(key, { labels, value });
    return value;
  }

  *[Symbol.iterator](): Iterator<readonly [labels: Labels, value: T]> {
    for (const { labels, value } of this.#series.values()) yield [labels, value];
  }
}

/** One text for each set of labels, made without a list on the way: every model call and every message asks for some. */
function keyOf(labels: Labels): string {
  let key = '';
  for (const name in labels) {
    const value = String(labels[name]);
    // The length keeps neighbours apart: no value can read as the next label.
    key += `${name}=${value.length}:${value}`;
  }
  return key;
}

function isOther(labels: Labels): boolean {
  return Object.values(labels).every((value) => value === OTHER);
}

function otherOf(labels: Labels): Labels {
  return Object.fromEntries(Object.keys(labels).map((name) => [name, OTHER]));
}
