const FIRST_CAPACITY = 4_096;
/** More than this is given back once it was read. */
const KEPT_CAPACITY = 256 * 1_024;

/** Bytes put together from any number of pieces: each is copied a bounded number of times, and none is kept. */
export class GrowingBytes {
  #room = new Uint8Array(FIRST_CAPACITY);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#room.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#room.length));
      larger.set(this.#room.subarray(0, this.#length));
      this.#room = larger;
    }
    this.#room.set(bytes, this.#length);
    this.#length = length;
  }

  /** Those so far, good until the next is added. */
  get bytes(): Uint8Array {
    return this.#room.subarray(0, this.#length);
  }

  clear(): void {
    if (this.#length === 0) return;
    this.#length = 0;
    if (this.#room.length > KEPT_CAPACITY) this.#room = new Uint8Array(FIRST_CAPACITY);
  }
}
