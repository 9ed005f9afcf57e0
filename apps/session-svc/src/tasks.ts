import { type Logger, workIdsOf } from '@skein/platform';

/** Work nobody waits for: its failures are logged, and an ending process waits for what is left of it. */
export class Tasks {
  readonly #running = new Set<Promise<void>>();

  constructor(private readonly logger: Logger) {}

  /** `about` is what its ids are read from if it fails, where it is somebody's work. */
  run(what: string, work: () => Promise<void>, about?: object): void {
    const ended = (): void => {
      this.#running.delete(task);
    };
    const task = work().then(ended, (error: unknown) => {
      ended();
      this.logger.warn({ ...workIdsOf(about), err: error }, `${what} failed`);
    });
    this.#running.add(task);
  }

  /** Also waits for what is begun while it waits. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
