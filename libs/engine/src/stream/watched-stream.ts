import { endOfStream, PlainStream } from './plain-stream';

/** What is to be done where a stream ends. */
export interface StreamWatch<T> {
  /** Begins it; asked when its first step is. Does not throw: what fails, fails in its first step. */
  start(): AsyncGenerator<T, void>;
  /** It threw: throws on, or answers its last step in the place of that. */
  failed(error: unknown): IteratorResult<T, void> | Promise<IteratorResult<T, void>>;
  /** It is over, and did not throw. */
  ended?(): void;
}

/** A stream as it is, for one who only has to see where it ends. */
export class WatchedStream<T> extends PlainStream<T> {
  #source: AsyncGenerator<T, void> | undefined;
  #isOver = false;

  constructor(private readonly watch: StreamWatch<T>) {
    super();
  }

  override next(): Promise<IteratorResult<T, void>> {
    if (this.#isOver) return Promise.resolve(endOfStream());
    return this.#watch((this.#source ??= this.watch.start()).next());
  }

  override return(): Promise<IteratorResult<T, void>> {
    const source = this.#source;
    const isOver = this.#isOver || !source;
    // Whoever leaves it asks for nothing more.
    this.#isOver = true;
    return isOver ? Promise.resolve(endOfStream()) : this.#watch(source.return());
  }

  override async throw(error: unknown): Promise<IteratorResult<T, void>> {
    if (!this.#isOver && this.#source) return this.#watch(this.#source.throw(error));
    this.#isOver = true;
    throw error;
  }

  #watch(step: Promise<IteratorResult<T, void>>): Promise<IteratorResult<T, void>> {
    return step.then(this.#take, this.#fail);
  }

  readonly #take = (step: IteratorResult<T, void>): IteratorResult<T, void> => {
    if (!step.done) return step;
    this.#isOver = true;
    this.watch.ended?.();
    return step;
  };

  readonly #fail = (error: unknown): IteratorResult<T, void> | Promise<IteratorResult<T, void>> => {
    this.#isOver = true;
    return this.watch.failed(error);
  };
}
