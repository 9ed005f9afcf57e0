/** Why a call is not waited for any more. */
export type CallEnd = 'timeout' | 'silence' | 'stopped' | 'cancelled';

export interface CallBounds {
  /** Before the tool begins, then of the tool itself. */
  readonly waitMs: number;
  readonly timeoutMs: number;
  /** How long the tool may say nothing; as long as it runs when left out. */
  readonly silenceMs?: number | undefined;
  readonly stopping: AbortSignal;
  readonly cancelled: AbortSignal;
}

/** The longest that a timer takes: a longer one would be over at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Ends a wait at a time or at a signal, whichever is first, and tells the tool through a signal of its own. */
export class BoundedWait {
  readonly #controller = new AbortController();
  readonly signal = this.#controller.signal;
  readonly ended: Promise<CallEnd>;
  readonly #onStopping = (): void => this.#abort('stopped', 'AbortError');
  readonly #onCancelled = (): void => this.#abort('cancelled', 'AbortError');
  #isOver = false;
  #end: (why: CallEnd) => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #silence: NodeJS.Timeout | undefined;

  constructor(private readonly bounds: CallBounds) {
    const { waitMs, stopping, cancelled } = bounds;
    this.ended = new Promise((resolve) => (this.#end = resolve));
    this.#timer = this.#after(waitMs, 'timeout');
    stopping.addEventListener('abort', this.#onStopping, { once: true });
    cancelled.addEventListener('abort', this.#onCancelled, { once: true });
    if (stopping.aborted) this.#onStopping();
    else if (cancelled.aborted) this.#onCancelled();
  }

  /** The tool begins: its own time counts from here. */
  begin(): void {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    this.#timer = this.#after(this.bounds.timeoutMs, 'timeout');
    this.alive();
  }

  /** The tool gave a sign of life. */
  alive(): void {
    if (this.bounds.silenceMs === undefined || this.#isOver) return;
    clearTimeout(this.#silence);
    this.#silence = this.#after(this.bounds.silenceMs, 'silence');
  }

  clear(): void {
    this.#isOver = true;
    // By hand: a signal to take them off with makes an error with its stack for every call.
    this.bounds.stopping.removeEventListener('abort', this.#onStopping);
    this.bounds.cancelled.removeEventListener('abort', this.#onCancelled);
    clearTimeout(this.#timer);
    clearTimeout(this.#silence);
  }

  #after(delayMs: number, why: CallEnd): NodeJS.Timeout {
    return setTimeout(() => this.#abort(why, 'TimeoutError'), Math.min(delayMs, MAX_TIMER_MS));
  }

  /** The end is told first, so that a tool which throws at its signal does not win the race with that. */
  #abort(why: CallEnd, name: string): void {
    this.#end(why);
    this.#controller.abort(new DOMException('The tool call was ended.', name));
  }
}
