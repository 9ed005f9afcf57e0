/** As much of an `AbortSignal` as streams of a client listen to. */
export interface LeaveSignal {
  readonly aborted: boolean;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * Aborts once, and then calls who listens. Node's own is a target of events, which is made, listened to and collected for each
 * request: a twentieth of what a turn costs the gateway.
 */
export class LeaveController implements LeaveSignal {
  readonly #listeners = new Set<() => void>();
  #reason: { readonly error: Error } | undefined;

  get aborted(): boolean {
    return this.#reason !== undefined;
  }

  abort(error: Error): void {
    if (this.#reason) return;
    this.#reason = { error };
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }

  throwIfAborted(): void {
    if (this.#reason) throw this.#reason.error;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }
}
