import { setTimeout as delay } from 'node:timers/promises';
import { describeExit, type RunningProcess } from './guarded-process';
import { decideRestart, restartLimits, type RestartLimits } from './restart-policy';
import { errorMessage } from './read-error';

export interface SupervisedProcess {
  /** As in the log: tool-worker-2. */
  readonly name: string;
  readonly app: string;
  /** Starts it, returns once it is ready. Must end what it began when the signal aborts. */
  start(signal: AbortSignal): Promise<RunningProcess>;
}

export interface SupervisorEvents {
  /** The process was restarted and is ready under a new pid. */
  onRestarted(name: string): void;
  /** It died too often; nothing will be tried any more. */
  onGivenUp(error: Error): void;
  /** One sentence for the log. */
  onNotice(text: string): void;
}

/** Keeps one process running, from its first start until stop(). */
export class Supervisor {
  readonly name: string;
  readonly app: string;
  #current: RunningProcess | undefined;
  #watching: Promise<void> = Promise.resolve();
  readonly #stopping = new AbortController();
  readonly #restartedAtMs: number[] = [];

  constructor(
    private readonly supervised: SupervisedProcess,
    private readonly events: SupervisorEvents,
    private readonly limits: RestartLimits = restartLimits,
  ) {
    this.name = supervised.name;
    this.app = supervised.app;
  }

  /** The process as it runs now; undefined before the first start and between a death and the restart. */
  get current(): RunningProcess | undefined {
    return this.#current;
  }

  /** The first start. Its failure is thrown, not retried: a process that never ran will not run later. */
  start(): Promise<RunningProcess> {
    const first = this.#begin();
    this.#watching = first.then(
      (running) => this.#keepRunning(running),
      () => undefined, // The caller gets the failure; here only the waiting ends.
    );
    return first;
  }

  /** Ends the process, also one that is just being restarted; settles when it is gone. */
  async stop(deadlineMs?: number): Promise<void> {
    this.#stopping.abort();
    await this.#current?.stop(deadlineMs);
    await this.#watching;
  }

  async #begin(): Promise<RunningProcess> {
    const { signal } = this.#stopping;
    const running = await this.supervised.start(signal);
    // Ready at the very moment of the stop, which could not know it yet.
    if (signal.aborted) await running.stop();
    signal.throwIfAborted();
    this.#current = running;
    return running;
  }

  async #keepRunning(first: RunningProcess): Promise<void> {
    let running: RunningProcess | undefined = first;
    while (running !== undefined) {
      const exit = await running.exited;
      this.#current = undefined;
      if (this.#stopping.signal.aborted) return;
      running = await this.#restart(describeExit(exit));
    }
  }

  async #restart(reason: string): Promise<RunningProcess | undefined> {
    const { signal } = this.#stopping;
    for (let why = reason; !signal.aborted;) {
      const decision = decideRestart(this.#restartedAtMs, Date.now(), this.limits);
      if (decision.kind === 'give-up') {
        const { restarts, windowMs } = this.limits;
        this.events.onGivenUp(
          new Error(`${this.name} died ${restarts + 1} times in ${windowMs / 1000} s: ${why}`),
        );
        return undefined;
      }
      this.events.onNotice(`${this.name} died (${firstLine(why)}); restarting it in ${decision.delayMs} ms`);
      try {
        await delay(decision.delayMs, undefined, { signal });
        this.#restartedAtMs.push(Date.now());
        const running = await this.#begin();
        this.events.onRestarted(this.name);
        return running;
      } catch (error) {
        why = errorMessage(error);
      }
    }
    return undefined;
  }
}

/** The lines that follow are in the log already. */
function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.replace(/; its last lines:$/, '') ?? '';
}
