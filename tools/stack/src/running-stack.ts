import type { ProcessLog } from './process-log';
import { restartLimits, type RestartLimits } from './restart-policy';
import { identify, type StackFile, type StackProcess } from './stack-file';
import { Supervisor, type SupervisedProcess, type SupervisorEvents } from './supervisor';

/** The processes of one stack, in the order they were started, and their common end. */
export class RunningStack {
  /** Settles with the reason when the stack cannot go on by itself; stays open while it can. */
  readonly broken: Promise<Error>;
  readonly #groups: Supervisor[][] = [];
  readonly #events: SupervisorEvents;
  #stopped: Promise<void> | undefined;

  constructor(
    private readonly stackFile: StackFile,
    log: ProcessLog,
    private readonly limits: RestartLimits = restartLimits,
  ) {
    let giveUp: (error: Error) => void = () => undefined;
    this.broken = new Promise((resolve) => (giveUp = resolve));
    this.#events = {
      onGivenUp: giveUp,
      onNotice: log.sinkFor('stack'),
      onRestarted: () => this.#record(),
    };
  }

  /** Starts processes side by side and returns when all are ready; throws the first failure, or the abort. */
  async startGroup(processes: readonly SupervisedProcess[], signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const group = processes.map((supervised) => new Supervisor(supervised, this.#events, this.limits));
    this.#groups.push(group);
    const abort = (): void => group.forEach((supervisor) => void supervisor.stop());
    signal.addEventListener('abort', abort, { once: true });
    try {
      await Promise.all(group.map((supervisor) => supervisor.start().then(() => this.#record())));
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** The URL a process reported; undefined while it does not run. */
  urlOf(name: string): string | undefined {
    return this.#supervisors().find((supervisor) => supervisor.name === name)?.current?.url;
  }

  /** The processes that run at this moment, as stack.json shows them. */
  processes(): readonly StackProcess[] {
    return this.#supervisors().flatMap(({ name, app, current }) =>
      current === undefined ? [] : [{ name, app, healthUrl: current.healthUrl, ...identify(current.pid) }],
    );
  }

  /** Ends every process, the last started group first; each is killed when its time is over. May be called twice. */
  stop(deadlineMs = 10_000): Promise<void> {
    this.#stopped ??= this.#stop(deadlineMs);
    return this.#stopped;
  }

  /** Ends what stop() still waits for, at once. */
  kill(): void {
    for (const supervisor of this.#supervisors()) void supervisor.stop(0);
  }

  async #stop(deadlineMs: number): Promise<void> {
    for (const group of this.#groups.toReversed()) {
      await Promise.all(group.map((supervisor) => supervisor.stop(deadlineMs)));
    }
    this.stackFile.remove();
  }

  #supervisors(): readonly Supervisor[] {
    return this.#groups.flat();
  }

  #record(): void {
    if (this.#stopped === undefined) this.stackFile.update({ processes: [...this.processes()] });
  }
}
