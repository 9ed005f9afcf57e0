import { createHash } from 'node:crypto';
import { type StoredObject } from './object-store';

/** Measures bytes that pass. */
export class ByteMeter {
  readonly #hash = createHash('sha256');
  #sizeBytes = 0;

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  add(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.#sizeBytes += chunk.byteLength;
  }

  /** To be asked once, at the end. */
  result(): StoredObject {
    return { sizeBytes: this.#sizeBytes, sha256: this.#hash.digest('hex') };
  }
}
