/**
 * A stream that is no generator: what only hands events on takes one promise for each, where a generator takes three, and each
 * event of a run passes many. Steps are asked for one after the other.
 */
export abstract class PlainStream<T> implements AsyncGenerator<T, void> {
  abstract next(): Promise<IteratorResult<T, void>>;
  abstract return(): Promise<IteratorResult<T, void>>;
  abstract throw(error: unknown): Promise<IteratorResult<T, void>>;

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }
}

/** The step behind the last one. */
export function endOfStream(): IteratorResult<never, void> {
  return { done: true, value: undefined };
}
