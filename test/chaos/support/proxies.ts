import { type AppName } from '@skein/stack';
import { TcpProxy } from '@skein/testing';
import { type FleetOptions, type FleetServers } from './fleet';

/** A proxy between each process and each server it uses: networks that a test may cut one by one. */
export class Proxies {
  readonly #nats = new Map<string, TcpProxy>();
  readonly #postgres = new Map<string, TcpProxy>();
  #servers: FleetServers | undefined;

  /** @param names the processes that get proxies, as `runner-1`. */
  constructor(private readonly names: readonly string[]) {}

  /** Of the options of a fleet that is to run behind them. */
  options(more: (name: string, app: AppName) => NodeJS.ProcessEnv = () => ({})): FleetOptions {
    return {
      onServers: (servers) => this.#start(servers),
      envOf: (name, app) => ({ ...more(name, app), ...this.#envOf(name, app) }),
    };
  }

  nats(name: string): TcpProxy {
    return found(this.#nats.get(name), name);
  }

  /** Only session-svc has one. */
  postgres(name: string): TcpProxy {
    return found(this.#postgres.get(name), name);
  }

  /** No fault any more. */
  heal(): void {
    for (const proxy of this.#all()) {
      proxy.tap(undefined);
      proxy.resume();
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#all().map((proxy) => proxy.close()));
  }

  async #start(servers: FleetServers): Promise<void> {
    this.#servers = servers;
    for (const name of this.names) {
      this.#nats.set(name, await TcpProxy.before(servers.natsUrl));
      if (name.startsWith('session-svc'))
        this.#postgres.set(name, await TcpProxy.before(servers.databaseUrl));
    }
  }

  #envOf(name: string, app: AppName): NodeJS.ProcessEnv {
    if (!this.#servers) return {};
    const { natsUrlOf, databaseUrl } = this.#servers;
    const nats = this.#nats.get(name)?.through(natsUrlOf(app));
    const postgres = app === 'session-svc' ? this.#postgres.get(name)?.through(databaseUrl) : undefined;
    return { ...(nats && { NATS_URL: nats }), ...(postgres && { DATABASE_URL: postgres }) };
  }

  #all(): TcpProxy[] {
    return [...this.#nats.values(), ...this.#postgres.values()];
  }
}

function found(proxy: TcpProxy | undefined, name: string): TcpProxy {
  if (!proxy) throw new Error(`there is no proxy before ${name}`);
  return proxy;
}
