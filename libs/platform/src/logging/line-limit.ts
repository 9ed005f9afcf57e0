/** So many lines of one kind in so long tell what there is to tell; more only hide the others. */
const MAX_LINES = 10;
const WINDOW_MS = 10_000;
/** Kinds are few; where something outside makes them up, they are forgotten before they take room. */
const MAX_KINDS = 1_000;

interface Kind {
  readonly since: number;
  lines: number;
  leftOut: number;
}

/**
 * Keeps what a client causes from flooding the log: of each kind ten lines in ten seconds are written, and the next one after
 * that says how many were not. Metrics count them all.
 */
export class LineLimit {
  readonly #kinds = new Map<string, Kind>();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** What a line is to say beside its own fields; nothing where it is not to be written. */
  take(kind: string): { readonly leftOut?: number } | undefined {
    const now = this.nowMs();
    const known = this.#kinds.get(kind);
    if (known && now - known.since < WINDOW_MS) {
      if (++known.lines <= MAX_LINES) return {};
      known.leftOut++;
      return undefined;
    }
    if (this.#kinds.size >= MAX_KINDS) this.#kinds.clear();
    this.#kinds.set(kind, { since: now, lines: 1, leftOut: 0 });
    return known && known.leftOut > 0 ? { leftOut: known.leftOut } : {};
  }
}
