import { setTimeout as delay } from 'node:timers/promises';
import { type Logger } from '../logging/logger';

interface Step {
  readonly name: string;
  readonly run: () => unknown;
  readonly deadlineMs: number;
}

const DEFAULT_DEADLINE_MS = 5_000;

/** How a process ends: named steps in the order they were added, each with a deadline of its own. */
export class Shutdown {
  readonly #steps: Step[] = [];
  #ending: Promise<void> | undefined;

  constructor(private readonly logger: Logger) {}

  get hasBegun(): boolean {
    return this.#ending !== undefined;
  }

  step(name: string, run: () => unknown, deadlineMs = DEFAULT_DEADLINE_MS): void {
    this.#steps.push({ name, run, deadlineMs });
  }

  /** Runs the steps once, whoever asks and how often. A step that fails or is late does not stop the others. */
  run(): Promise<void> {
    this.#ending ??= this.#runSteps();
    return this.#ending;
  }

  async #runSteps(): Promise<void> {
    for (const step of this.#steps) await this.#runStep(step);
  }

  async #runStep({ name, run, deadlineMs }: Step): Promise<void> {
    const done = new AbortController();
    const work = (async () => run())().finally(() => done.abort());
    try {
      const isLate = await Promise.race([
        work.then(() => false),
        delay(deadlineMs, true, { signal: done.signal }).catch(() => false), // Aborted: the step ended first.
      ]);
      // A step that failed also ends the wait; its failure is reported by the second await.
      if (isLate) this.logger.warn({ step: name, deadlineMs }, 'shutdown step is late and was left behind');
      else await work;
    } catch (error) {
      this.logger.error({ step: name, err: error }, 'shutdown step failed');
    }
  }
}
