import { endOfStream, PlainStream } from '../stream/plain-stream';

/**
 * The events of a run until its signal ends it: then it rejects at once with the signal's reason. A model or a callback
 * that does not listen is left behind; nobody waits for what is not wanted any more.
 */
export function untilAborted<T>(
  events: AsyncGenerator<T, void>,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  return new UntilAborted(events, signal);
}

class UntilAborted<T> extends PlainStream<T> {
  #isOver = false;
  #isListening = false;
  /** Ends the step that is waited for. */
  #stop: ((reason: Error) => void) | undefined;

  constructor(
    private readonly events: AsyncGenerator<T, void>,
    private readonly signal: AbortSignal,
  ) {
    super();
  }

  override next(): Promise<IteratorResult<T, void>> {
    if (this.#isOver) return Promise.resolve(endOfStream());
    // A promise of its own for each event: a race with one that lasts as long as the run would keep all events until its end.
    return new Promise((resolve, reject) => {
      const stop = (reason: Error): void => {
        this.#end();
        reject(reason);
      };
      this.#stop = stop;
      if (this.signal.aborted) {
        this.#abort();
        return;
      }
      this.#listen();
      this.events.next().then((next) => {
        // Aborted between two steps, it is told with the next one.
        this.#stop = undefined;
        if (next.done) this.#end();
        resolve(next);
      }, stop);
    });
  }

  override async return(): Promise<IteratorResult<T, void>> {
    this.#end();
    return endOfStream();
  }

  override async throw(error: unknown): Promise<IteratorResult<T, void>> {
    this.#end();
    throw error;
  }

  #listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    this.signal.addEventListener('abort', this.#abort, { once: true });
  }

  // A run is ended with an Error that says why.
  readonly #abort = (): void => this.#stop?.(this.signal.reason as Error);

  #end(): void {
    this.#isOver = true;
    this.signal.removeEventListener('abort', this.#abort);
    // Of one that is left behind this takes effect once it comes to its next event.
    this.events.return().catch(() => undefined);
  }
}
