import { setMaxListeners } from 'node:events';
import {
  AdkError,
  type Appended,
  type AppendUnit,
  backOff,
  isTransient,
  retryTransient,
} from '@skein/contracts';
import { type AppendUnitClient } from './append-unit-client';
import { isTooLarge, withoutStates } from './staged-call';

/** Sends units of one run, each until the store has said what became of it, or a unit was refused, or the run ended. */
export class UnitSender {
  #refusal: Error | undefined;
  /** Ends the repeats. Made with the first of them, which most runs do without. */
  #ending: AbortController | undefined;
  #behindSent = false;

  constructor(
    private readonly client: AppendUnitClient,
    /** The run's. */
    private readonly signal: AbortSignal,
  ) {}

  /** Why nothing more is sent. */
  get refusal(): Error | undefined {
    return this.#refusal;
  }

  /** A unit was refused: one behind it would wait for it for ever. The first reason is kept. */
  refuse(error: unknown): void {
    this.#refusal ??= error instanceof Error ? error : AdkError.from(error);
    this.#ending?.abort(this.#refusal);
  }

  /** From now on no unit comes before what this process has sent to others. */
  followSent(): void {
    this.#behindSent = true;
  }

  /** Sends again, once no unit is under way any more. */
  reopen(): void {
    this.#refusal = undefined;
    this.#ending = undefined;
  }

  /** One whose outcome is unknown is sent again as it is: its number makes the repeat harmless. */
  async send(unit: AppendUnit): Promise<Appended> {
    this.signal.throwIfAborted();
    if (this.#refusal) throw this.#refusal;
    try {
      return await this.client.append(unit, { behindSent: this.#behindSent });
    } catch (error) {
      return isTransient(error) ? this.#repeat(unit) : this.#sendSmaller(unit, error);
    }
  }

  /** Behind a first try that failed in passing: the pause that `retryTransient` would make, then its tries. */
  async #repeat(unit: AppendUnit): Promise<Appended> {
    this.#ending ??= endingWith(this.signal);
    if (this.#refusal) this.#ending.abort(this.#refusal);
    const { signal } = this.#ending;
    await backOff({}, 1, signal);
    try {
      return await retryTransient(() => this.client.append(unit, { behindSent: this.#behindSent }), {
        signal,
      });
    } catch (error) {
      return this.#sendSmaller(unit, error);
    }
  }

  /** Once more without the states, where they made the unit too large; else the error it failed with. */
  async #sendSmaller(unit: AppendUnit, error: unknown): Promise<Appended> {
    if (!isTooLarge(error, unit)) throw error;
    return this.send(withoutStates(unit));
  }
}

/** Aborts with the run, or before it. */
function endingWith(run: AbortSignal): AbortController {
  const ending = new AbortController();
  // Every unit that waits for its next try listens; Node would take more than ten of them for a leak.
  setMaxListeners(0, ending.signal);
  if (run.aborted) ending.abort(run.reason);
  else run.addEventListener('abort', () => ending.abort(run.reason), { once: true });
  return ending;
}
