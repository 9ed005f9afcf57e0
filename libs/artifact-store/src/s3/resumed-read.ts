import { type Readable } from 'node:stream';
import { backOff, isTransient, type RetryPolicy } from '../retry-transient';
import { asObjectError, unavailable } from './s3-error';

/** Opens the object `offset` bytes further on than the first time; nothing when it is not there any more. */
export type OpenAt = (offset: number) => Promise<Readable | undefined>;

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
    private readonly openAt: OpenAt,
    private readonly policy: RetryPolicy,
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
        await this.#reopen(asObjectError(cause));
      }
    }
  }

  /** Also while `next` is waited for, which must open nothing any more then. */
  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#isOver = true;
    this.#stream.destroy();
    return { done: true, value: undefined };
  }

  async #reopen(error: Error): Promise<void> {
    this.#stream.destroy();
    this.#failures += 1;
    if (!isTransient(error) || this.#failures >= this.policy.attempts) throw error;
    await backOff(this.policy, this.#failures);
    const stream = this.#isOver ? undefined : await this.openAt(this.#readBytes);
    if (!stream) throw unavailable('the object went while it was read', error);
    if (this.#isOver) stream.destroy();
    this.#stream = stream;
    this.#chunks = chunksOf(stream);
  }
}

function chunksOf(stream: Readable): AsyncIterator<Uint8Array> {
  // An answer of HTTP that nobody gave an encoding gives buffers.
  return (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
}
