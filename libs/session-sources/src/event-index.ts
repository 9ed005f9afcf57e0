import { type SourceSession } from './session-source';

export type SessionName = Pick<SourceSession, 'appName' | 'userId' | 'sessionId'>;

/** Where an event is, and how long. */
export interface IndexEntry extends SessionName {
  readonly place: string | number;
  readonly bytes: number;
}

/**
 * Walks all events beside all sessions, both in the order of their keys: one pass over a table that may have no index by
 * session. Only the entries of one session are held.
 */
export class EventIndex {
  #next: IndexEntry | undefined;
  readonly #entries: AsyncIterator<IndexEntry>;

  constructor(entries: AsyncIterable<IndexEntry>) {
    this.#entries = entries[Symbol.asyncIterator]();
  }

  /** The session's events in their order. Passes by those of sessions before it, which cannot be taken any more. */
  async take(session: SessionName): Promise<IndexEntry[]> {
    const taken: IndexEntry[] = [];
    for (;;) {
      this.#next ??= await this.#advance();
      const order = this.#next ? compare(this.#next, session) : 1;
      if (order > 0) return taken;
      if (order === 0 && this.#next) taken.push(this.#next);
      this.#next = undefined;
    }
  }

  async #advance(): Promise<IndexEntry | undefined> {
    const next = await this.#entries.next();
    return next.done === true ? undefined : next.value;
  }
}

/** Pieces of consecutive entries within a bound of bytes and rows, of at least one entry. */
export function* piecesOf(
  entries: readonly IndexEntry[],
  { bytes: maxBytes, rows: maxRows }: { readonly bytes: number; readonly rows: number },
): Generator<readonly IndexEntry[], void> {
  let begin = 0;
  let held = 0;
  for (const [at, { bytes }] of entries.entries()) {
    if (at > begin && (held + bytes > maxBytes || at - begin === maxRows)) {
      yield entries.slice(begin, at);
      begin = at;
      held = 0;
    }
    held += bytes;
  }
  if (begin < entries.length) yield entries.slice(begin);
}

function compare(one: SessionName, other: SessionName): number {
  return (
    byBytes(one.appName, other.appName) ||
    byBytes(one.userId, other.userId) ||
    byBytes(one.sessionId, other.sessionId)
  );
}

function byBytes(one: string, other: string): number {
  return one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other));
}
