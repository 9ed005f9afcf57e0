import { type AppName } from '@skein/stack';
import { setTimeout as pause } from 'node:timers/promises';
import { waitUntil } from '../../support/wait-until';
import { type TestedProcess } from '../../chaos/support/tested-fleet';
import { type ControlledContainer } from './controlled-container';

export interface ContainerProcessOptions {
  readonly app: AppName;
  readonly container: ControlledContainer;
  /** Of a gateway alone. */
  readonly url: string;
  readonly healthUrl: string;
  readonly onLine: (line: string) => void;
}

const RETRY_MS = 200;

/** One app in a container. What dies is started again at once, unless that is switched off. */
export class ContainerProcess implements TestedProcess {
  readonly name: string;
  readonly app: AppName;
  readonly url: string;
  readonly healthUrl: string;
  isRestarted = true;
  /** The exit code of each life. */
  readonly exits: number[] = [];
  readonly container: ControlledContainer;
  #isEnding = false;
  #isStopped = false;
  /** One that is under way, or was the last. */
  #starting: Promise<boolean> = Promise.resolve(true);

  constructor(private readonly options: ContainerProcessOptions) {
    ({ app: this.app, container: this.container, url: this.url, healthUrl: this.healthUrl } = options);
    this.name = this.container.name;
    void this.#watch();
  }

  get isRunning(): boolean {
    return this.container.isRunning;
  }

  /** Whether a load balancer would send somebody there. */
  get isServing(): boolean {
    return this.isRunning && !this.#isEnding;
  }

  get pid(): number {
    return this.container.pid;
  }

  /** Ends it by a signal and waits until it is gone. Answers the pid it had. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<number> {
    const { pid } = this;
    this.#isEnding = true;
    await this.container.end(signal);
    return pid;
  }

  /** Settles once it runs in another life than that with this pid. */
  async untilRestarted(oldPid: number, deadlineMs = 60_000): Promise<void> {
    await waitUntil(
      `${this.name} to be started again`,
      () => (this.isRunning && this.pid !== oldPid) || undefined,
      deadlineMs,
    );
  }

  /**
   * Its end is no fault any more. Settles when nobody starts it again: of a container that is removed as it starts the engine keeps a
   * place in its network for ever.
   */
  async letGo(): Promise<void> {
    this.#isStopped = true;
    await this.#starting;
  }

  async #watch(): Promise<void> {
    while (!this.#isStopped) {
      this.exits.push(await this.container.exited);
      while (!this.#isStopped) {
        this.#starting = this.#startAgain();
        if (await this.#starting) break;
        await pause(RETRY_MS);
      }
    }
  }

  /** Whether it runs again. */
  async #startAgain(): Promise<boolean> {
    if (!this.isRestarted) return false;
    try {
      await this.container.startAgain();
      this.#isEnding = false;
      return true;
    } catch (error) {
      if (!this.#isStopped) this.options.onLine(`could not be started again: ${String(error)}`);
      return false;
    }
  }
}
