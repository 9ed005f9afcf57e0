import { type ProcessExit, type RunningProcess } from '@skein/stack';

interface Server extends RunningProcess {
  readonly port: number;
  readonly url: string;
}

/** Postgres or NATS, which come back where their clients left them. */
export class FleetServer {
  private constructor(
    private readonly begin: (port: number) => Promise<Server>,
    private current: Server,
  ) {}

  static async start(begin: (port: number | undefined) => Promise<Server>): Promise<FleetServer> {
    return new FleetServer(begin, await begin(undefined));
  }

  get url(): string {
    return this.current.url;
  }

  get pid(): number {
    return this.current.pid;
  }

  /** Sends a signal that ends it, and waits until it is gone. */
  async end(signal: NodeJS.Signals): Promise<ProcessExit> {
    process.kill(this.current.pid, signal);
    return this.current.exited;
  }

  /** On the same port, with what its directory holds. */
  async start(): Promise<void> {
    this.current = await this.begin(this.current.port);
  }

  /** Ends it, does something while it is away, and starts it again. */
  async restart(signal: NodeJS.Signals, whileAway: () => unknown = () => undefined): Promise<void> {
    await this.end(signal);
    try {
      await whileAway();
    } finally {
      await this.start();
    }
  }

  async stop(): Promise<void> {
    await this.current.stop();
  }
}
