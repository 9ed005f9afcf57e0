/** Two counts: how many bytes were written, and how many of them were read. */
const COUNTS_BYTES = 8;
/** Thousands of entries. A power of two: a count that runs over goes on at the right place. */
const RING_BYTES = 2 ** 20;

/**
 * Entries that one thread writes and another reads when it looks. A message for each would wake that thread, which takes longer
 * than most tools do.
 */
export class SharedJournal {
  readonly #counts: Uint32Array;
  readonly #ring: Uint8Array;
  /** What there was no room for: the next entry goes behind it. */
  readonly #waiting: Buffer[] = [];

  /** @param memory that of the other thread's. */
  constructor(readonly memory = new SharedArrayBuffer(COUNTS_BYTES + RING_BYTES)) {
    this.#counts = new Uint32Array(memory, 0, 2);
    this.#ring = new Uint8Array(memory, COUNTS_BYTES);
  }

  /** It is there to be read when this returns, unless nobody looked for so long that there is no room. */
  write(entry: object): void {
    this.#waiting.push(Buffer.from(`${JSON.stringify(entry)}\n`));
    for (let [next] = this.#waiting; next && this.#append(next); [next] = this.#waiting)
      this.#waiting.shift();
  }

  /** What was written since the last look. */
  read(): unknown[] {
    const written = Atomics.load(this.#counts, 0);
    const read = Atomics.load(this.#counts, 1);
    const bytes = Buffer.alloc((written - read) >>> 0);
    const { place, beforeEnd } = roomFrom(read, bytes.length);
    bytes.set(this.#ring.subarray(place, place + beforeEnd));
    bytes.set(this.#ring.subarray(0, bytes.length - beforeEnd), beforeEnd);
    Atomics.store(this.#counts, 1, written);
    const lines = bytes.toString('utf8').split('\n').slice(0, -1);
    return lines.map((line): unknown => JSON.parse(line));
  }

  #append(bytes: Buffer): boolean {
    const written = Atomics.load(this.#counts, 0);
    const unread = (written - Atomics.load(this.#counts, 1)) >>> 0;
    if (unread + bytes.length > RING_BYTES) return false;
    const { place, beforeEnd } = roomFrom(written, bytes.length);
    this.#ring.set(bytes.subarray(0, beforeEnd), place);
    this.#ring.set(bytes.subarray(beforeEnd));
    // Last, so that what is counted is there.
    Atomics.store(this.#counts, 0, written + bytes.length);
    return true;
  }
}

/** Where in the ring a count stands, and how many of so many bytes lie there before its end; the others begin it anew. */
function roomFrom(count: number, length: number): { readonly place: number; readonly beforeEnd: number } {
  const place = count % RING_BYTES;
  return { place, beforeEnd: Math.min(length, RING_BYTES - place) };
}
