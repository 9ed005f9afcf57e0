import { type MessagingConnection } from '@skein/messaging';
import { type Logger } from '@skein/platform';
import { Duties } from './duties';
import { type SweepPlan } from './plan-sweeps';

export interface SweeperParts {
  readonly connection: Pick<MessagingConnection, 'isConnected' | 'onReconnect'>;
  readonly plan: SweepPlan;
  readonly sweepMs: number;
  readonly logger: Logger;
}

/**
 * Finds in the database what a crash or a lost message left undone, and does it. Any number may run at once: rows are
 * taken with SKIP LOCKED, and whatever is done twice is harmless twice.
 */
export class Sweeper {
  readonly #runs: Duties;
  /** Beside the rest: a stream that is away must keep no expired lease waiting. */
  readonly #streams: readonly Duties[];
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #forgetReconnects: (() => void) | undefined;

  constructor(private readonly parts: SweeperParts) {
    const { plan, logger } = parts;
    this.#runs = new Duties(logger, plan.runs);
    this.#streams = plan.streams.map((duties) => new Duties(logger, duties));
  }

  start(): void {
    const { connection, plan } = this.parts;
    this.#forgetReconnects = connection.onReconnect(plan.reconnected);
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    clearTimeout(this.#timer);
    this.#forgetReconnects?.();
    await Promise.all([this.#runs, ...this.#streams].map((duties) => duties.settled()));
  }

  /** Half to one and a half periods apart, so that several sweepers do not come together every time. */
  #schedule(): void {
    if (this.#stopped.signal.aborted) return;
    this.#timer = setTimeout(
      () => void this.#sweep().finally(() => this.#schedule()),
      this.parts.sweepMs * (0.5 + Math.random()),
    );
  }

  async #sweep(): Promise<void> {
    // Nobody can be reached: what is taken back now could not be handed over, and would pile up here.
    if (!this.parts.connection.isConnected()) return;
    const { signal } = this.#stopped;
    for (const duties of this.#streams) void duties.once(signal);
    await this.#runs.once(signal);
  }
}
