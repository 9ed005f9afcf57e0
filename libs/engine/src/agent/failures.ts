import { isDivergence } from '../journal/divergence';
import { type Frame } from '../journal/frame';
import { type Journal } from '../journal/journal';
import { keepError, type KeptError, restoreError } from '../journal/kept-error';
import { type ReplayOrder } from '../journal/replay-order';

/** How an activation ended before its time. */
interface KeptFailure {
  readonly error: KeptError;
  /** Events of the segment that were in the log by then. */
  readonly after: number;
}

/** What agents of a segment threw: kept, so that after a crash each fails as it did, whoever caught it. */
export class Failures {
  /** What the run's code saw of a failure, with what was thrown. */
  readonly #thrown = new Map<unknown, unknown>();
  /** The innermost agent that failed with it, of what was thrown. */
  readonly #agents = new Map<unknown, string>();

  constructor(
    private readonly journal: Journal,
    private readonly replay: ReplayOrder,
  ) {}

  /** The innermost agent that failed with what was thrown; none when no agent did. */
  agentOf(thrown: unknown): string | undefined {
    return this.#agents.get(thrown);
  }

  /**
   * Notes that an agent failed, if none below it did with the same error. Answers what those above it see of that: what
   * can be kept, so that code which tells failures apart goes the same way in each later run.
   */
  note(thrown: unknown, agent: string, { path }: Frame): unknown {
    // A run that goes another way has another end: it is told, or goes on behind it.
    if (this.#thrown.has(thrown) || isDivergence(thrown)) {
      const known = this.thrownAs(thrown);
      if (!this.#agents.has(known)) this.#agents.set(known, agent);
      return thrown;
    }
    // Also when one that was caught failed with the same object.
    this.#agents.set(thrown, agent);
    const error = keepError(thrown);
    const payload: KeptFailure = { error, after: this.replay.position };
    this.journal.stageRecord({ stepKey: path, kind: 'failure', payload });
    const seen = restoreError(error, thrown);
    this.#thrown.set(seen, thrown);
    return seen;
  }

  /** What was thrown, of what the run's code saw of it: for whoever stands outside of the run. */
  thrownAs(seen: unknown): unknown {
    return this.#thrown.get(seen) ?? seen;
  }

  /**
   * Rejects with what ended the activation of this frame before the crash, once the run stands where it stood then; answers
   * nothing where nothing did.
   */
  rethrow({ path }: Frame, signal: AbortSignal): Promise<void> | undefined {
    const record = this.journal.storedRecord('failure', path);
    // Staged above alone.
    return record && this.#rethrown(record.payload as KeptFailure, signal);
  }

  async #rethrown({ error, after }: KeptFailure, signal: AbortSignal): Promise<never> {
    await this.replay.reach(after, signal);
    const seen = restoreError(error);
    this.#thrown.set(seen, seen);
    throw seen;
  }
}
