import { type AgentLoader, type LoadedApp } from '@skein/agent-loader';
import { type AnnouncedApp } from '@skein/contracts';
import { toolsOfApp } from '../catalog/tools-of-app';

/** Far below what goes through NATS as one message: every session-svc reads it every second. */
const MAX_BYTES = 64 * 1024;
const REFRESH_MS = 3_000;

export interface ServedTools {
  readonly apps: Readonly<Record<string, AnnouncedApp>>;
  readonly hasMoreApps: boolean;
}

/**
 * The tools of every app that loads, read anew every few seconds, because apps come and broken ones are mended while a worker
 * runs. What there is no room for is announced as anything: its calls come here, and go back if they are for nobody here.
 */
export class AnnouncedTools {
  readonly #ofApp = new WeakMap<LoadedApp, AnnouncedApp>();
  #served: ServedTools = { apps: {}, hasMoreApps: false };
  #reading: Promise<void> | undefined;
  #readAtMs = -Infinity;

  constructor(
    private readonly agents: Pick<AgentLoader, 'listApps' | 'load'>,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** What was read last: an app that takes long to load must not keep the worker from saying that it lives. */
  get served(): ServedTools {
    // A folder that cannot be read for a moment takes none of the loaded apps away.
    if (this.nowMs() - this.#readAtMs >= REFRESH_MS) void this.read().catch(() => undefined);
    return this.#served;
  }

  async read(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
      this.#readAtMs = this.nowMs();
    });
    await this.#reading;
  }

  async #read(): Promise<void> {
    const apps: [string, AnnouncedApp][] = [];
    for (const name of this.agents.listApps()) {
      // A broken app has no tools to offer; that it is broken was told when it was loaded first.
      const app = await this.agents.load(name).catch(() => undefined);
      if (app) apps.push([name, this.#toolsOf(app)]);
    }
    this.#served = within(MAX_BYTES, apps);
  }

  #toolsOf(app: LoadedApp): AnnouncedApp {
    const known = this.#ofApp.get(app) ?? toolsOfApp(app.rootAgent);
    this.#ofApp.set(app, known);
    return known;
  }
}

/** The smallest apps first, so that as few as possible are announced by less than their tools. */
function within(limitBytes: number, apps: readonly [string, AnnouncedApp][]): ServedTools {
  const bySize = [...apps].sort((one, other) => bytesOf(one) - bytesOf(other));
  const served: [string, AnnouncedApp][] = [];
  let leftBytes = limitBytes;
  for (const [name, app] of bySize) {
    const short = { tools: [], hasToolsets: true };
    const fitting = [app, short].find((form) => bytesOf([name, form]) <= leftBytes);
    if (fitting === undefined) continue;
    leftBytes -= bytesOf([name, fitting]);
    served.push([name, fitting]);
  }
  return { apps: Object.fromEntries(served), hasMoreApps: served.length < apps.length };
}

/** With the comma or the bracket around it. */
function bytesOf(entry: readonly [string, AnnouncedApp]): number {
  return Buffer.byteLength(JSON.stringify(entry));
}
