import { setMaxListeners } from 'node:events';
import { type Handover } from '@skein/contracts';
import { cancelledError, RunLeft } from '@skein/engine';
import { type AppendPipeline } from '@skein/session-client';
import { type ForeignEvents } from './foreign-events';
import { PendingCalls } from './pending-calls';
import { StepsUnderWay } from './steps-under-way';

/** The lease of a run was lost, or given back: another runner goes on with it, so nothing more may leave this one. */
export class RunStopped extends RunLeft {
  constructor(reason: string) {
    super(`This runner stopped the run: ${reason}`);
    this.name = 'RunStopped';
  }
}

/** One invocation while this runner has it. */
export class ActiveRun {
  readonly pendingCalls = new PendingCalls();
  readonly steps = new StepsUnderWay();
  readonly #stopped = new AbortController();
  readonly #ended = new AbortController();
  /** By the clock of `performance.now()`. */
  readonly beganAtMs = performance.now();
  #isCancelled = false;
  /** Ends what the run does: when it is stopped, and when it is cancelled. */
  readonly signal = this.#ended.signal;
  /** Set once the run is open; results that come before find no call and are kept by session-svc. */
  pipeline: AppendPipeline | undefined;
  /** Set once the run is open; before that nothing of it has been read. */
  foreignEvents: ForeignEvents | undefined;

  /** `isGuessed`: its claim is on its way to the database, or will never be. */
  constructor(
    readonly handover: Handover,
    readonly isGuessed = false,
  ) {
    // Every call under way listens on them; Node would take more than ten of them for a leak.
    setMaxListeners(Infinity, this.signal, this.stopSignal);
  }

  get invocationId(): string {
    return this.handover.invocationId;
  }

  /** Ends all that leaves this runner, the word of a cancel too. */
  get stopSignal(): AbortSignal {
    return this.#stopped.signal;
  }

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** Ends the run here and now; whatever it waits for rejects. */
  stop(reason: string): void {
    const stopped = new RunStopped(reason);
    this.#stopped.abort(stopped);
    this.#ended.abort(stopped);
  }

  /** Has the run end as cancelled; a run that was stopped is not this runner's to end. */
  cancel(): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.#ended.abort(cancelledError());
  }
}
