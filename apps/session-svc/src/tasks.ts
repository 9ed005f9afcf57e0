import { type Logger, type WorkIds } from '@skein/platform';

/** Work nobody waits for: its failures are logged, and an ending process waits for what is left of it. */
export class Tasks {
  readonly #running = new Set<Promise<void>>();

  constructor(private readonly logger: Logger) {}

  /** `ids` tell whose work it is, where it is somebody's. */
  run(what: string, work: () => Promise<void>, ids: WorkIds = {}): void {
    const task = work()
      .catch((error: unknown) => this.logger.warn({ ...ids, err: error }, `${what} failed`))
      .finally(() => this.#running.delete(task));
    this.#running.add(task);
  }

  /** Also waits for what is begun while it waits. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
