import { type Serializable } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { type AppName, type ProcessExit, type RunningApp, startApp } from '@skein/stack';
import { waitUntil } from '../../support/wait-until';

export interface FleetProcessOptions {
  readonly name: string;
  readonly app: AppName;
  readonly entry: string;
  /** Asked at every start, so that a restart may find another environment. */
  readonly env: () => NodeJS.ProcessEnv;
  readonly onLine: (line: string) => void;
}

/** A process that cannot start is tried again after so long. */
const RETRY_MS = 200;

/** One app under the test's control. What dies is started again at once, however often, unless that is switched off. */
export class FleetProcess {
  readonly name: string;
  readonly app: AppName;
  /** Whether it is started again when it dies. */
  isRestarted = true;
  /** How often it began to run. */
  starts = 0;
  /** How each of its lives ended. */
  readonly exits: ProcessExit[] = [];
  /** Called with each new life before it is used, as for arming it over IPC. */
  onStarted: (running: RunningApp) => void = () => undefined;
  /** It was asked to end: a load balancer sends nobody there any more. */
  #isEnding = false;
  #current: RunningApp | undefined;
  #port: string | undefined;
  #watching: Promise<void> = Promise.resolve();
  readonly #stopping = new AbortController();

  constructor(private readonly options: FleetProcessOptions) {
    this.name = options.name;
    this.app = options.app;
  }

  get isRunning(): boolean {
    return this.#current !== undefined;
  }

  /** Whether a load balancer would send somebody there. */
  get isServing(): boolean {
    return this.isRunning && !this.#isEnding;
  }

  get pid(): number {
    return this.#running.pid;
  }

  /** Only a gateway has one; it stays over restarts. */
  get url(): string {
    return this.#running.url ?? '';
  }

  get healthUrl(): string {
    return this.#running.healthUrl ?? '';
  }

  /** Starts it; throws when it cannot, as its next starts would not either. */
  async start(): Promise<void> {
    const first = await this.#begin();
    this.#watching = this.#watch(first);
  }

  /** Sends a signal and does not wait for what comes of it. */
  signal(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal);
  }

  /** Ends it by a signal and waits until it is gone. Answers the pid it had. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<number> {
    const { pid, exited } = this.#running;
    this.#isEnding = true;
    process.kill(pid, signal);
    await exited;
    return pid;
  }

  /** Settles once it runs under another pid than this one. */
  async untilRestarted(oldPid: number, deadlineMs = 30_000): Promise<void> {
    await waitUntil(
      `${this.name} to be restarted`,
      () => this.#current !== undefined && this.#current.pid !== oldPid,
      deadlineMs,
    );
  }

  /** A message over the IPC channel it was started with. */
  send(message: Serializable): void {
    this.#running.child.send(message);
  }

  /** What it sends over IPC from now on, until it dies. */
  onMessage(take: (message: unknown) => void): void {
    this.#running.child.on('message', take);
  }

  async stop(deadlineMs = 10_000): Promise<void> {
    this.#stopping.abort();
    const current = this.#current;
    // A stopped process hears nothing but this.
    if (current) process.kill(current.pid, 'SIGCONT');
    await current?.stop(deadlineMs);
    await this.#watching;
  }

  get #running(): RunningApp {
    if (!this.#current) throw new Error(`${this.name} does not run`);
    return this.#current;
  }

  async #begin(): Promise<RunningApp> {
    const { name, entry, onLine } = this.options;
    const env = { ...this.options.env(), ...(this.#port === undefined ? {} : { PORT: this.#port }) };
    const running = await startApp({ name, entry, env, onLine }, this.#stopping.signal);
    if (running.url !== undefined) this.#port = new URL(running.url).port;
    this.starts += 1;
    this.#current = running;
    this.#isEnding = false;
    this.onStarted(running);
    return running;
  }

  async #watch(first: RunningApp): Promise<void> {
    for (let running: RunningApp | undefined = first; running;) {
      this.exits.push(await running.exited);
      this.#current = undefined;
      running = await this.#again();
    }
  }

  /** Nothing once the fleet stops. */
  async #again(): Promise<RunningApp | undefined> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const running = this.isRestarted ? await this.#tryAgain() : undefined;
      if (running) return running;
      await pause(this.isRestarted ? RETRY_MS : 20, undefined, { signal }).catch(() => undefined);
    }
    return undefined;
  }

  async #tryAgain(): Promise<RunningApp | undefined> {
    try {
      return await this.#begin();
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.options.onLine(`could not be started again: ${String(error)}`);
      return undefined;
    }
  }
}
