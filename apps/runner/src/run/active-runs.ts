import { type ActiveRun } from './active-run';

/** Longer than any message is under way, at any rate of runs one process can have. */
const ENDED_KEPT = 10_000;

/** The invocations this process runs, and how many more it would take. */
export class ActiveRuns {
  readonly #runs = new Map<string, ActiveRun>();
  readonly #settled = new Map<string, Promise<void>>();
  /** The epoch of the last claim that was run here to its end, by invocation; the oldest are forgotten. */
  readonly #ended = new Map<string, number>();
  readonly #creditWaiters = new Set<() => void>();
  #accepting = true;
  #onChange: () => void = () => undefined;

  constructor(private readonly concurrency: number) {}

  get credit(): number {
    return this.#accepting ? Math.max(0, this.concurrency - this.#runs.size) : 0;
  }

  /** Called whenever the credit went to or came back from zero. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  /** Whether there is credit, at once or within `timeoutMs`. */
  async untilCredit(timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    if (this.credit > 0 || signal.aborted || !this.#accepting) return this.credit > 0;
    await new Promise<void>((resolve) => {
      const settle = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', settle);
        this.#creditWaiters.delete(settle);
        resolve();
      };
      const timer = setTimeout(settle, timeoutMs);
      signal.addEventListener('abort', settle);
      this.#creditWaiters.add(settle);
    });
    return this.credit > 0;
  }

  get(invocationId: string): ActiveRun | undefined {
    return this.#runs.get(invocationId);
  }

  list(): ActiveRun[] {
    return [...this.#runs.values()];
  }

  /** Begins a run if there is credit; a second handover of the same claim changes nothing. */
  begin(run: ActiveRun, work: (run: ActiveRun) => Promise<void>): boolean {
    const known = this.#runs.get(run.invocationId);
    if (known && known.handover.epoch >= run.handover.epoch) {
      // The same claim handed over twice is accepted twice; an older one came late and must not end the newer.
      return known.handover.epoch === run.handover.epoch && !known.stopSignal.aborted;
    }
    // One that comes late finds its run over: begun again it would ask the model before it is told that it is stale.
    const ended = this.#ended.get(run.invocationId);
    if (!known && ended !== undefined && ended >= run.handover.epoch) return ended === run.handover.epoch;
    // It takes the place of the older claim, so it needs no credit of its own.
    if (!known && this.credit === 0) return false;
    known?.stop('it was claimed again under a newer epoch');
    // What is given back at the end was listed before this one came.
    if (!this.#accepting) return false;
    this.#runs.set(run.invocationId, run);
    this.#settled.set(run.invocationId, this.#supervise(run, work));
    if (this.credit === 0) this.#onChange();
    return true;
  }

  /** Takes no more runs; whoever waits for credit is told at once that there is none. */
  close(): void {
    this.#accepting = false;
    for (const settle of this.#creditWaiters) settle();
    this.#onChange();
  }

  /** Resolves when the run has ended, however it did. */
  async ended(run: ActiveRun): Promise<void> {
    if (this.#runs.get(run.invocationId) === run) await this.#settled.get(run.invocationId);
  }

  async #supervise(run: ActiveRun, work: (run: ActiveRun) => Promise<void>): Promise<void> {
    try {
      // The acceptance is answered first: an agent may keep the event loop busy for longer than session-svc waits.
      await new Promise<void>((resolve) => void setImmediate(resolve));
      await work(run);
    } finally {
      // A newer epoch of the same invocation may have taken the place meanwhile.
      if (this.#runs.get(run.invocationId) === run) {
        const wasFull = this.credit === 0;
        this.#runs.delete(run.invocationId);
        this.#settled.delete(run.invocationId);
        this.#remember(run);
        for (const settle of this.#creditWaiters) settle();
        if (wasFull) this.#onChange();
      }
    }
  }

  #remember({ invocationId, handover }: ActiveRun): void {
    this.#ended.delete(invocationId);
    this.#ended.set(invocationId, handover.epoch);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > ENDED_KEPT && oldest !== undefined) this.#ended.delete(oldest);
  }
}
