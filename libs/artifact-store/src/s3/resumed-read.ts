import { backOff, isTransient, type RetryOptions } from '@skein/contracts';
import { type Readable } from 'node:stream';
import { asObjectError, isPastEnd, unavailable } from './s3-error';

/** What is read. */
export interface Reading {
  /** Opens the object `offset` bytes further on than the first time; nothing when it is not there any more. */
  openAt(offset: number): Promise<Readable | undefined>;
  /** How much of it is asked for; 0 for all. */
  readonly sizeBytes: number;
}

/** The bytes of an object, taken up again where the connection broke off. */
export class ResumedRead implements AsyncIterableIterator<Uint8Array> {
  #stream: Readable;
  #chunks: AsyncIterator<Uint8Array>;
  #readBytes = 0;
  /** In a row, without a byte between them. */
  #failures = 0;
  #isOver = false;

  constructor(
    first: Readable,
    private readonly reading: Reading,
    private readonly policy: RetryOptions,
  ) {
    this.#stream = first;
    this.#chunks = chunksOf(first);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      try {
        const result = await this.#chunks.next();
        if (result.done === true) return { done: true, value: undefined };
        this.#readBytes += result.value.byteLength;
        this.#failures = 0;
        return result;
      } catch (cause) {
        if (!(await this.#isContinued(asObjectError(cause)))) return { done: true, value: undefined };
      }
    }
  }

  /** Also while `next` is waited for, which must open nothing any more then. */
  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#isOver = true;
    this.#stream.destroy();
    return { done: true, value: undefined };
  }

  /** A connection may also break off after the last byte and before the end. */
  async #isContinued(error: Error): Promise<boolean> {
    this.#stream.destroy();
    if (this.#readBytes > 0 && this.#readBytes === this.reading.sizeBytes) return false;
    this.#failures += 1;
    if (!isTransient(error) || this.#failures >= (this.policy.attempts ?? Infinity)) throw error;
    await backOff(this.policy, this.#failures);
    try {
      const stream = this.#isOver ? undefined : await this.reading.openAt(this.#readBytes);
      if (!stream) throw unavailable('the object went while it was read', error);
      if (this.#isOver) stream.destroy();
      this.#stream = stream;
      this.#chunks = chunksOf(stream);
      return true;
    } catch (cause) {
      if (this.#readBytes > 0 && isPastEnd(asObjectError(cause))) return false;
      throw cause;
    }
  }
}

function chunksOf(stream: Readable): AsyncIterator<Uint8Array> {
  // An answer of HTTP that nobody gave an encoding gives buffers.
  return (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
}
