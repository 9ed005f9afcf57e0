import { createHash } from 'node:crypto';
import { type StoredObject } from './object-store';
import { SNIFFED_BYTES, sniffType } from './sniff-type';

/** Measures bytes that pass. */
export class ByteMeter {
  readonly #hash = createHash('sha256');
  #sizeBytes = 0;
  #first = Buffer.of();

  add(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.#sizeBytes += chunk.byteLength;
    const missing = SNIFFED_BYTES - this.#first.byteLength;
    if (missing > 0) this.#first = Buffer.concat([this.#first, chunk.subarray(0, missing)]);
  }

  /** To be asked once, at the end. */
  result(): StoredObject {
    const sniffedType = sniffType(this.#first);
    return {
      sizeBytes: this.#sizeBytes,
      sha256: this.#hash.digest('hex'),
      ...(sniffedType !== undefined && { sniffedType }),
    };
  }
}
