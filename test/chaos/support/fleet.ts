import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type AppEntries,
  appEnvironment,
  type AppName,
  builtEntries,
  NatsAccess,
  runMigrations,
  startEmbeddedNats,
  startEmbeddedPostgres,
  untilGatewayReady,
} from '@skein/stack';
import { waitUntil } from '../../support/wait-until';
import { FleetProcess } from './fleet-process';
import { FleetServer } from './fleet-server';
import { type TestedFleet } from './tested-fleet';

export interface FleetOptions {
  readonly gateways?: number;
  readonly sessionServices?: number;
  readonly runners?: number;
  readonly toolWorkers?: number;
  /** A folder of agents; that of the chaos tests when left out. */
  readonly agentsDir?: string;
  /** For every process. LEASE_MS and its kin are scaled down here, and here a reader sees to what. */
  readonly env?: NodeJS.ProcessEnv;
  /** Over all that for one process, asked at each of its starts: a proxy's address instead of a server's, as an example. */
  readonly envOf?: (name: string, app: AppName) => NodeJS.ProcessEnv;
  /** Called once the servers run, before any app: where proxies before them are made. */
  readonly onServers?: (servers: FleetServers) => Promise<void>;
  /** Whether everybody may do everything on the NATS server, as before there were permissions. */
  readonly isOpen?: boolean;
  /** Other builds in place of `dist/`. */
  readonly entries?: Partial<AppEntries>;
  /** Another build for one process alone, as that of another version. */
  readonly entryOf?: (name: string, app: AppName) => string | undefined;
}

export interface FleetServers {
  /** The server's administrator's. */
  readonly natsUrl: string;
  /** With the name and password of an app. */
  readonly natsUrlOf: (app: AppName) => string;
  readonly databaseUrl: string;
}

/** What the fleets sign their tickets with. */
export const SECRET = 'a secret of the chaos tests';
const AGENTS_DIR = path.join(__dirname, '..', 'agents');

/** Servers, and any number of each app as processes of their own, every one of them the test's to kill. */
export class Fleet implements TestedFleet<FleetProcess> {
  readonly processes: FleetProcess[] = [];
  readonly #lines: string[] = [];

  private constructor(
    readonly dataDir: string,
    readonly postgres: FleetServer,
    readonly nats: FleetServer,
    private readonly access: NatsAccess | undefined,
  ) {}

  /** Starts everything and returns once a first turn can be served. When it throws, nothing of it runs any more. */
  static async start(options: FleetOptions = {}): Promise<Fleet> {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'skein-chaos-'));
    const access = options.isOpen === true ? undefined : accessOf(options);
    const [postgres, nats] = await startServers(dataDir, access);
    const fleet = new Fleet(dataDir, postgres, nats, access);
    try {
      await fleet.#bringUp(options);
      return fleet;
    } catch (error) {
      await fleet.stop();
      throw new Error(`the fleet did not start; its log:\n${fleet.log()}`, { cause: error });
    }
  }

  /** A gateway to talk to. */
  get url(): string {
    return this.urls[0] ?? this.one('gateway').url;
  }

  /** The gateways a load balancer knows at this moment. */
  get urls(): string[] {
    return this.of('gateway').flatMap((gateway) => (gateway.isServing ? [gateway.url] : []));
  }

  get databaseUrl(): string {
    return this.postgres.url;
  }

  get natsUrl(): string {
    return this.nats.url;
  }

  /** Where the scripted models note what they were asked. */
  get modelLog(): string {
    return path.join(this.dataDir, 'requests.jsonl');
  }

  /** Where the agents' tools note what they did. */
  get effectsFile(): string {
    return path.join(this.dataDir, 'effects.jsonl');
  }

  of(app: AppName): FleetProcess[] {
    return this.processes.filter((one) => one.app === app);
  }

  /** The first of an app, or the one of this name, as `runner-2`. */
  one(appOrName: string): FleetProcess {
    const found = this.processes.find(({ app, name }) => name === appOrName || app === appOrName);
    if (!found) throw new Error(`the fleet has no ${appOrName}`);
    return found;
  }

  /** The process with this pid, or whose name an owner's id begins with. */
  byOwner(owner: string | number): FleetProcess {
    const found = this.processes.find((one) =>
      typeof owner === 'number' ? one.isRunning && one.pid === owner : owner.startsWith(`${one.name}-`),
    );
    if (!found) throw new Error(`no process of the fleet is ${owner}`);
    return found;
  }

  /** Everything the processes have logged so far, each line behind its process' name. */
  log(): string {
    return this.#lines.join('\n');
  }

  async untilLogged(pattern: RegExp, deadlineMs = 20_000): Promise<RegExpExecArray> {
    return waitUntil(`a log line like ${pattern}`, () => pattern.exec(this.log()) ?? undefined, deadlineMs);
  }

  /** Ends JetStream with all it has stored, and starts the server again, empty. */
  async wipeNats(whileAway: () => unknown = () => undefined): Promise<void> {
    await this.nats.restart('SIGKILL', async () => {
      rmSync(path.join(this.dataDir, 'nats'), { recursive: true, force: true });
      await whileAway();
    });
  }

  /** Settles once a gateway says that a turn can be served. */
  async untilReady(deadlineMs = 60_000): Promise<void> {
    await untilGatewayReady(this.url, AbortSignal.timeout(deadlineMs), deadlineMs);
  }

  /** Ends every process, the last started first, and removes what they wrote. */
  async stop(): Promise<void> {
    for (const app of [...starts].reverse()) await Promise.all(this.of(app).map((one) => one.stop()));
    await Promise.all([this.postgres.stop(), this.nats.stop()]);
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  async #bringUp(options: FleetOptions): Promise<void> {
    const { natsUrl, databaseUrl } = this;
    const natsUrlOf = (app: AppName): string => this.access?.urlOf(natsUrl, app) ?? natsUrl;
    await options.onServers?.({ natsUrl, natsUrlOf, databaseUrl });
    const entries = { ...builtEntries(), ...options.entries };
    await runMigrations(
      entries.migrate,
      this.#envOf('migrate', 'session-svc', { ...options, envOf: () => ({}) }),
      this.#sink('migrate'),
      AbortSignal.timeout(60_000),
    );
    const counts: Readonly<Record<AppName, number>> = {
      'session-svc': options.sessionServices ?? 1,
      runner: options.runners ?? 2,
      'tool-worker': options.toolWorkers ?? 2,
      gateway: options.gateways ?? 1,
    };
    for (const app of starts) {
      const group = Array.from({ length: counts[app] }, (_, index) =>
        this.#plan(`${app}-${index + 1}`, app, entries[app], options),
      );
      this.processes.push(...group);
      const started = await Promise.allSettled(group.map((one) => one.start()));
      const failed = started.find((one) => one.status === 'rejected');
      if (failed) throw failed.reason;
    }
    await Promise.all(this.urls.map((url) => untilGatewayReady(url, AbortSignal.timeout(60_000))));
  }

  #plan(name: string, app: AppName, entry: string, options: FleetOptions): FleetProcess {
    const env = (): NodeJS.ProcessEnv => this.#envOf(name, app, options);
    const onLine = this.#sink(name);
    return new FleetProcess({ name, app, entry: options.entryOf?.(name, app) ?? entry, env, onLine });
  }

  #envOf(
    name: string,
    app: AppName,
    { agentsDir, env, envOf, sessionServices = 1 }: FleetOptions,
  ): NodeJS.ProcessEnv {
    const { dataDir, natsUrl, databaseUrl } = this;
    const shared = {
      inherited: {
        ...process.env,
        LOG_FORMAT: 'json',
        SCRIPTED_LLM_LOG: this.modelLog,
        EFFECTS_FILE: this.effectsFile,
        ...env,
      },
      dataDir,
      agentsDir: agentsDir ?? AGENTS_DIR,
      natsUrl,
      natsAccess: this.access,
      databaseUrl,
      secret: SECRET,
      hasOneSessionService: sessionServices === 1,
      host: '127.0.0.1',
      port: 0,
    };
    return { ...appEnvironment(app, name, shared), ...envOf?.(name, app) };
  }

  #sink(name: string): (line: string) => void {
    return (line) => void this.#lines.push(`${name} | ${line}`);
  }
}

/** session-svc makes the streams and answers what the others ask at their start. */
const starts: readonly AppName[] = ['session-svc', 'runner', 'tool-worker', 'gateway'];

/** Every worker serves the pools that any of them is told to serve. */
function accessOf({ env, envOf, toolWorkers = 2 }: FleetOptions): NatsAccess {
  const told = Array.from({ length: toolWorkers }, (_, index) =>
    envOf?.(`tool-worker-${index + 1}`, 'tool-worker'),
  );
  const pools = [env, ...told].flatMap((one) => one?.TOOL_POOLS?.split(',') ?? ['default']);
  return new NatsAccess(SECRET, [{ user: 'tool-worker', pools: [...new Set(pools)] }]);
}

/** Both or none. */
async function startServers(
  dataDir: string,
  access: NatsAccess | undefined,
): Promise<[FleetServer, FleetServer]> {
  mkdirSync(dataDir, { recursive: true });
  const begun = await Promise.allSettled([
    FleetServer.start((port) => startEmbeddedPostgres({ dataDir, port })),
    FleetServer.start((port) => startEmbeddedNats({ dataDir, port, access })),
  ]);
  const [postgres, nats] = begun;
  if (postgres.status === 'fulfilled' && nats.status === 'fulfilled') return [postgres.value, nats.value];
  for (const one of begun) if (one.status === 'fulfilled') await one.value.stop();
  rmSync(dataDir, { recursive: true, force: true });
  throw begun.find((one) => one.status === 'rejected')?.reason;
}
