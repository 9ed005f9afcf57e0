import { type ActiveRun } from './active-run';

/** Longer than any message is under way, at any rate of runs one process can have. */
const ENDED_KEPT = 10_000;

/** A place that is kept for a run while that is being claimed. */
export type KeptPlace = object;

/** The invocations this process runs, and how many more it would take. */
export class ActiveRuns {
  readonly #runs = new Map<string, ActiveRun>();
  readonly #settled = new Map<string, Promise<void>>();
  /** The epoch of the last claim that was run here to its end, by invocation; the oldest are forgotten. */
  readonly #ended = new Map<string, number>();
  readonly #kept = new Set<KeptPlace>();
  /** Those who wait for a place to keep, in the order they came; each is given one, or none. */
  readonly #waiters = new Set<(place: KeptPlace | undefined) => void>();
  #accepting = true;
  #told = '';
  #onChange: () => void = () => undefined;

  constructor(private readonly concurrency: number) {}

  get credit(): number {
    return this.#accepting ? Math.max(0, this.concurrency - this.#runs.size - this.#kept.size) : 0;
  }

  /** Whether places of runs that end are waited for. */
  get isAwaited(): boolean {
    return this.#waiters.size > 0;
  }

  /** Called whenever the credit went to or came back from zero, and when the first began to wait or the last got a place. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
    this.#told = this.#news();
  }

  /** A place for a run that is about to be claimed, at once or within `timeoutMs`; nobody else gets it meanwhile. */
  async keepPlace(timeoutMs: number, signal: AbortSignal): Promise<KeptPlace | undefined> {
    if (this.credit > 0) return this.#keep();
    if (signal.aborted || !this.#accepting) return undefined;
    return new Promise((resolve) => {
      const settle = (place: KeptPlace | undefined): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        this.#waiters.delete(settle);
        resolve(place);
      };
      const giveUp = (): void => {
        settle(undefined);
        this.#tell();
      };
      const timer = setTimeout(giveUp, timeoutMs);
      signal.addEventListener('abort', giveUp);
      this.#waiters.add(settle);
      this.#tell();
    });
  }

  /** A kept place is not needed any more; one that a run has taken is not kept. */
  giveUp(place: KeptPlace): void {
    if (this.#kept.delete(place)) this.#passOn();
  }

  get(invocationId: string): ActiveRun | undefined {
    return this.#runs.get(invocationId);
  }

  list(): ActiveRun[] {
    return [...this.#runs.values()];
  }

  /** Begins a run if there is credit, or in its kept place; a second handover of the same claim changes nothing. */
  begin(run: ActiveRun, work: (run: ActiveRun) => Promise<void>, place?: KeptPlace): boolean {
    const isKept = place !== undefined && this.#kept.delete(place);
    const isBegun = this.#begin(run, work);
    if (isKept) this.#passOn();
    return isBegun;
  }

  #begin(run: ActiveRun, work: (run: ActiveRun) => Promise<void>): boolean {
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
    this.#tell();
    return true;
  }

  /** Takes no more runs; whoever waits for credit is told at once that there is none. */
  close(): void {
    this.#accepting = false;
    for (const settle of this.#waiters) settle(undefined);
    this.#tell();
  }

  /** Resolves when the run has ended, however it did. */
  async ended(run: ActiveRun): Promise<void> {
    if (this.#runs.get(run.invocationId) === run) await this.#settled.get(run.invocationId);
  }

  async #supervise(run: ActiveRun, work: (run: ActiveRun) => Promise<void>): Promise<void> {
    try {
      // The acceptance is answered first: an agent may keep the event loop busy for longer than session-svc waits. It is
      // written behind what waits for this turn of the event loop (ADR 17), so before what waits for the next one; and
      // session-svc reads it while the run works, not when its first unit comes.
      await nextTurn();
      await nextTurn();
      await work(run);
    } finally {
      // A newer epoch of the same invocation may have taken the place meanwhile.
      if (this.#runs.get(run.invocationId) === run) {
        this.#runs.delete(run.invocationId);
        this.#settled.delete(run.invocationId);
        this.#remember(run);
        this.#passOn();
      }
    }
  }

  #keep(): KeptPlace {
    const place = {};
    this.#kept.add(place);
    this.#tell();
    return place;
  }

  /** What became free goes to who has waited longest for it. */
  #passOn(): void {
    for (const settle of this.#waiters) {
      if (this.credit === 0) break;
      settle(this.#keep());
    }
    this.#tell();
  }

  #tell(): void {
    const news = this.#news();
    if (news === this.#told) return;
    this.#told = news;
    this.#onChange();
  }

  #news(): string {
    return `${this.credit > 0} ${this.isAwaited}`;
  }

  #remember({ invocationId, handover }: ActiveRun): void {
    this.#ended.delete(invocationId);
    this.#ended.set(invocationId, handover.epoch);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > ENDED_KEPT && oldest !== undefined) this.#ended.delete(oldest);
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
