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
  readonly #noted = new Set<unknown>();
  #agent: string | undefined;

  constructor(
    private readonly journal: Journal,
    private readonly replay: ReplayOrder,
  ) {}

  /** The innermost agent that failed, once one has. */
  get agent(): string | undefined {
    return this.#agent;
  }

  /** Notes that an agent failed, if none below it did. */
  note(thrown: unknown, agent: string, { path }: Frame): void {
    this.#agent ??= agent;
    // A run that goes another way has another end: it is told, or goes on behind it.
    if (this.#noted.has(thrown) || isDivergence(thrown)) return;
    this.#noted.add(thrown);
    const payload: KeptFailure = { error: keepError(thrown), after: this.replay.position };
    this.journal.stageRecord({ stepKey: path, kind: 'failure', payload });
  }

  /** Rejects with what ended the activation of this frame before the crash, once the run stands where it stood then. */
  async rethrow({ path }: Frame, signal: AbortSignal): Promise<void> {
    const record = this.journal.storedRecord('failure', path);
    if (!record) return;
    // Staged above alone.
    const { error, after } = record.payload as KeptFailure;
    await this.replay.reach(after, signal);
    throw restoreError(error);
  }
}
