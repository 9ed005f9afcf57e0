import { type ControlledContainer } from './controlled-container';

/** Postgres, NATS or the object store, which come back with what they hold. */
export class ContainerServer {
  constructor(
    readonly container: ControlledContainer,
    /** From where the tests run. */
    readonly url: string,
  ) {}

  /** Ends it, does something while it is away, and starts it again. */
  async restart(signal: NodeJS.Signals, whileAway: () => unknown = () => undefined): Promise<void> {
    await this.container.end(signal);
    try {
      await whileAway();
    } finally {
      await this.container.startAgain();
    }
  }
}
