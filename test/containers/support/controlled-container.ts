import { type ContainerRuntimeClient, getContainerRuntimeClient } from 'testcontainers';
import { waitUntil } from '../../support/wait-until';
import { docker } from './docker';
import { type MeshContainer } from './mesh-container';
import { report } from './report';

type Container = ReturnType<ContainerRuntimeClient['container']['getById']>;

export interface ControlledContainerOptions {
  readonly name: string;
  readonly container: MeshContainer;
  /** When a life of it has begun: a line it writes then, or what the image's own check says. */
  readonly isUp: RegExp | 'healthy';
  readonly onLine: (line: string) => void;
}

const UP_MS = 90_000;

/** A container that a test ends, starts again, freezes and cuts off. What it holds stays over its lives. */
export class ControlledContainer {
  /** Settles with the exit code when this life is over. */
  exited: Promise<number> = Promise.resolve(0);
  #pid = 0;
  #isRunning = false;
  #lines: string[] = [];

  private constructor(
    private readonly options: ControlledContainerOptions,
    private readonly client: ContainerRuntimeClient,
    private readonly container: Container,
  ) {}

  /** Starts it for the first time; throws when it does not come up. */
  static async start(options: ControlledContainerOptions): Promise<ControlledContainer> {
    const client = await getContainerRuntimeClient();
    const started = await options.container.withStartupTimeout(UP_MS).start();
    const controlled = new ControlledContainer(options, client, client.container.getById(started.getId()));
    await controlled.#live();
    report('container', options.name);
    return controlled;
  }

  get name(): string {
    return this.options.name;
  }

  get id(): string {
    return this.container.id;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** On the engine's machine: another one in each life. */
  get pid(): number {
    return this.#pid;
  }

  /** Starts it again, where it was ended. */
  async startAgain(): Promise<void> {
    await this.client.container.start(this.container);
    await this.#live();
  }

  /** Sends a signal and does not wait for what comes of it. */
  async signal(signal: NodeJS.Signals): Promise<void> {
    report('fault', `${signal} to ${this.name}`);
    await this.container.kill({ signal });
  }

  /** Sends a signal that ends it, and waits until it is gone. */
  async end(signal: NodeJS.Signals): Promise<number> {
    await this.signal(signal);
    return this.exited;
  }

  /** Every process in it stands still. */
  async pause(): Promise<void> {
    report('fault', `${this.name} is paused`);
    await waitUntil(`${this.name} to stand still`, () => this.container.pause().then(() => true, notFrozen));
  }

  async unpause(): Promise<void> {
    if ((await this.container.inspect()).State.Paused) await this.container.unpause();
  }

  /** Takes it out of a network: its connections there die without a word. */
  async disconnect(network: string): Promise<void> {
    report('fault', `${this.name} is disconnected`);
    await this.client.network.getById(network).disconnect({ Container: this.container.id, Force: true });
  }

  /** Puts it back under its name. */
  async reconnect(network: string): Promise<void> {
    await this.client.container.connectToNetwork(this.container, this.client.network.getById(network), [
      this.name,
    ]);
  }

  /** From the start of this life to the line that says that it is ready, by the engine's clock. */
  async secondsToReady(): Promise<number> {
    const { StartedAt } = (await this.container.inspect()).State;
    const lines = await docker(['logs', '--timestamps', '--since', StartedAt, this.id]);
    const [at] =
      lines
        .split('\n')
        .find((line) => line.includes(' is ready"'))
        ?.split(' ') ?? [];
    if (at === undefined) throw new Error(`${this.name} has not said that it is ready`);
    return (Date.parse(at) - Date.parse(StartedAt)) / 1_000;
  }

  /** Whether it is in a network now. */
  async isIn(network: string): Promise<boolean> {
    const { NetworkSettings } = await this.container.inspect();
    return Object.values(NetworkSettings.Networks).some(({ NetworkID }) => NetworkID === network);
  }

  /** From the start of a container to the moment it is up. */
  async #live(): Promise<void> {
    const { State } = await this.container.inspect();
    this.#pid = State.Pid;
    this.#lines = [];
    this.exited = this.container.wait().then(({ StatusCode }: { readonly StatusCode: number }) => {
      this.#isRunning = false;
      return StatusCode;
    });
    // Its first lines may be older than the moment it counts as started; those of its last life are not younger than its end.
    await this.#follow(Math.max(0, Date.parse(State.FinishedAt) / 1_000));
    const died = this.exited.then((code) => {
      throw new Error(
        `${this.name} ended with ${code} before it was up:\n${this.#lines.slice(-20).join('\n')}`,
      );
    });
    died.catch(() => undefined); // Once it is up, its end is no failure of its start.
    await Promise.race([waitUntil(`${this.name} to be up`, () => this.#isUp(), UP_MS), died]);
    this.#isRunning = true;
  }

  async #isUp(): Promise<true | undefined> {
    const { isUp } = this.options;
    if (isUp instanceof RegExp) return this.#lines.some((line) => isUp.test(line)) || undefined;
    return (await this.container.inspect()).State.Health?.Status === 'healthy' || undefined;
  }

  async #follow(since: number): Promise<void> {
    const stream = await this.client.container.logs(this.container, { since });
    let rest = '';
    stream.on('data', (piece: string) => {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        this.#lines.push(line);
        this.options.onLine(line);
      }
    });
  }
}

/** On a busy machine the kernel may not be done with a freeze in runc's time, which then takes it back. */
function notFrozen(error: Error): undefined {
  if (!error.message.includes('unable to freeze')) throw error;
}
