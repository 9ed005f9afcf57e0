import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type AppName, stackAccess, untilGatewayReady } from '@skein/stack';
import { type TestedFleet } from '../../chaos/support/tested-fleet';
import { waitUntil } from '../../support/wait-until';
import { AppContainers, NETWORKS } from './app-containers';
import { type ContainerProcess } from './container-process';
import { type ContainerServer } from './container-server';
import { type ControlledContainer } from './controlled-container';
import { Doors } from './doors';
import { type NetworkName, Networks } from './networks';
import { report } from './report';
import { type FleetServers, SECRET, SERVER_DOORS, startServers } from './start-servers';

export interface ContainerFleetOptions {
  readonly gateways?: number;
  readonly sessionServices?: number;
  readonly runners?: number;
  readonly toolWorkers?: number;
  /** A folder of agents; that of the chaos tests when left out. */
  readonly agentsDir?: string;
  /** For every service. */
  readonly env?: Readonly<Record<string, string>>;
}

const CHAOS_AGENTS = path.join(__dirname, '..', '..', 'chaos', 'agents');

/** The fleet of the chaos tests in containers: servers, and any number of each app, every one the test's to harm. */
export class ContainerFleet implements TestedFleet<ContainerProcess> {
  readonly processes: ContainerProcess[] = [];
  readonly #lines: string[] = [];
  /** Of this machine alone. */
  readonly #secrets = mkdtempSync(path.join(tmpdir(), 'skein-secrets-'));
  #servers: FleetServers | undefined;

  private constructor(
    readonly networks: Networks,
    /** Of this machine, and at /notes in every container. */
    private readonly notes: string,
  ) {}

  /** Starts everything and returns once a first turn can be served. When it throws, nothing of it runs any more. */
  static async start(options: ContainerFleetOptions = {}): Promise<ContainerFleet> {
    const begunMs = performance.now();
    const notes = mkdtempSync(path.join(tmpdir(), 'skein-notes-'));
    chmodSync(notes, 0o777); // The services run under a user of their own.
    const fleet = new ContainerFleet(await Networks.make(), notes);
    try {
      await fleet.#bringUp(options);
      const seconds = Math.round((performance.now() - begunMs) / 100) / 10;
      report(
        'figure',
        `${fleet.processes.length} services and their servers, from nothing to ready: ${seconds} s`,
      );
      return fleet;
    } catch (error) {
      await fleet.stop().catch(() => undefined); // What is wrong is told by the first error.
      throw new Error(`the fleet did not start; its log:\n${fleet.log()}`, { cause: error });
    }
  }

  get url(): string {
    return this.urls[0] ?? this.one('gateway').url;
  }

  get urls(): string[] {
    return this.of('gateway').flatMap((gateway) => (gateway.isServing ? [gateway.url] : []));
  }

  get databaseUrl(): string {
    return this.postgres.url;
  }

  get natsUrl(): string {
    return this.nats.url;
  }

  get modelLog(): string {
    return path.join(this.notes, 'requests.jsonl');
  }

  get effectsFile(): string {
    return path.join(this.notes, 'effects.jsonl');
  }

  get postgres(): ContainerServer {
    return started(this.#servers).postgres;
  }

  get nats(): ContainerServer {
    return started(this.#servers).nats;
  }

  of(app: AppName): ContainerProcess[] {
    return this.processes.filter((one) => one.app === app);
  }

  /** The first of an app, or the one of this name, as `runner-2`. */
  one(appOrName: string): ContainerProcess {
    const found = this.processes.find(({ app, name }) => name === appOrName || app === appOrName);
    if (!found) throw new Error(`the fleet has no ${appOrName}`);
    return found;
  }

  byOwner(owner: string | number): ContainerProcess {
    const found = this.processes.find((one) => String(owner).startsWith(`${one.name}-`));
    // Every process has the pid 1 where it runs: tools say which container that is.
    if (!found) throw new Error(`no container of the fleet is ${owner}`);
    return found;
  }

  /** Everything the containers have logged so far, each line behind its container's name. */
  log(): string {
    return this.#lines.join('\n');
  }

  /** What one of them has logged since the log was so long. */
  logOf(name: string, since = 0): string {
    const lines = this.log().slice(since).split('\n');
    return lines.filter((line) => line.startsWith(`${name} |`)).join('\n');
  }

  /** Settles once a gateway says that a turn can be served. */
  async untilReady(deadlineMs = 60_000): Promise<void> {
    await untilGatewayReady(this.url, AbortSignal.timeout(deadlineMs), deadlineMs);
  }

  /** Takes a process out of the network in which it reaches NATS; the others stay. */
  async cutOffFromNats({ app, container }: ContainerProcess): Promise<void> {
    await container.disconnect(this.networks.idOf(NETWORKS[app][0]));
  }

  /** No fault any more, and every container as it was. */
  async heal(): Promise<void> {
    for (const { app, container } of this.processes) {
      await container.unpause();
      for (const network of NETWORKS[app]) await this.#putBack(container, network);
    }
    await this.#putBack(this.postgres.container, 'data');
    await waitUntil(
      'every container to run',
      () => this.processes.every((one) => one.isRunning) || undefined,
    );
    await this.untilReady();
  }

  /** Removes all of it. */
  async stop(): Promise<void> {
    await Promise.all(this.processes.map((one) => one.letGo()));
    await this.networks.remove();
    for (const folder of [this.notes, this.#secrets]) rmSync(folder, { recursive: true, force: true });
  }

  async #bringUp(options: ContainerFleetOptions): Promise<void> {
    const { networks, notes } = this;
    const access = stackAccess(SECRET, options.env ?? {});
    const apps = new AppContainers(
      { ...options, agentsDir: options.agentsDir ?? CHAOS_AGENTS, notes, access },
      networks,
    );
    // The door is of the project's own image, and opens before anybody is behind it.
    const doors = [...Object.values(SERVER_DOORS), ...apps.doors()];
    const open = await Doors.open(doors, networks);
    const sink = (name: string) => this.#sink(name);
    const folder = this.#secrets;
    this.#servers = await startServers({ networks, doors: open, access: { nats: access, folder } }, sink);
    await apps.migrate();
    for (const group of apps.groups())
      this.processes.push(...(await Promise.all(group.map((one) => apps.start(one, open, sink(one.name))))));
    await Promise.all(this.urls.map((url) => untilGatewayReady(url, AbortSignal.timeout(60_000))));
  }

  async #putBack(container: ControlledContainer, network: NetworkName): Promise<void> {
    const id = this.networks.idOf(network);
    if (!(await container.isIn(id))) await container.reconnect(id);
  }

  #sink(name: string): (line: string) => void {
    return (line) => this.#note(name, line);
  }

  #note(name: string, line: string): void {
    this.#lines.push(`${name} | ${line}`);
  }
}

function started<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('the fleet was not started');
  return part;
}
