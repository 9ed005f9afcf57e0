const TICK_MS = 100;

/**
 * Whether this process was away lately: stopped, starved, or busy in one turn of its event loop. What it reads then may
 * have been sent long ago. The clock is monotonic, and runs on while the process is stopped.
 */
export class Absence {
  #timer: NodeJS.Timeout | undefined;
  #tickedAtMs: number;
  #backAtMs = -Infinity;

  /**
   * @param fromMs how long a silence counts as an absence.
   * @param forMs how long after an absence what is read may be from before it.
   */
  constructor(
    private readonly fromMs: number,
    private readonly forMs: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.#tickedAtMs = nowMs();
  }

  start(): void {
    this.#tickedAtMs = this.nowMs();
    this.#timer = setInterval(() => this.#tick(), Math.min(TICK_MS, this.fromMs / 2));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Right also before the timer had its turn: a process that was stopped may read its socket first. */
  wasLately(): boolean {
    this.#tick();
    return this.nowMs() - this.#backAtMs < this.forMs;
  }

  #tick(): void {
    const now = this.nowMs();
    if (now - this.#tickedAtMs >= this.fromMs) this.#backAtMs = now;
    this.#tickedAtMs = now;
  }
}
