/**
 * The signal of one call: it aborts with that of its round, or of the run, as long as the call goes on. What listens on it
 * is let go with the call, since the run may have many more. Made when somebody reads it: most calls run elsewhere.
 */
export class CallSignal {
  #own: AbortController | undefined;
  #isOver = false;

  constructor(private readonly round: AbortSignal) {}

  get signal(): AbortSignal {
    return (this.#own ??= this.#following()).signal;
  }

  /** The call is over. */
  end(): void {
    this.#isOver = true;
    if (this.#own) this.round.removeEventListener('abort', this.#follow);
  }

  #following(): AbortController {
    const own = new AbortController();
    if (this.round.aborted) own.abort(this.round.reason);
    else if (!this.#isOver) this.round.addEventListener('abort', this.#follow, { once: true });
    return own;
  }

  readonly #follow = (): void => this.#own?.abort(this.round.reason);
}
