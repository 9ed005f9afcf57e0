import { resolve } from 'node:path';
import { AdkError } from '@skein/contracts';
import { type App, type BaseAgent, closeIdleToolsets, closeToolsets, warn } from '@skein/engine';
import { configureModels, type RateLimiter, modelSettingsFrom } from '@skein/models';
import { configureEgress, egressSettingsFrom } from '@skein/toolsets';
import { appOf } from './app-of';
import { importAgentFile } from './import-agent-file';
import { KeptCompilations } from './kept-compilations';
import { assertRoutes } from './assert-routes';
import { findAgentFile, isFile, listApps, skippedFolders } from './list-apps';
import { isLoadFailed, loadFailedBy } from './load-failed';
import { newestChange } from './newest-change';

export interface AgentLoaderOptions {
  readonly agentsDir: string;
  /** What models and toolsets need: platform's `providerEnvironment()`. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether `@skein/adk` is what an agent file gets that imports `@google/adk`; true where it is not said. */
  readonly adkCompat?: boolean;
  /** Where compiled agent files are kept for the next start; each process compiles them anew where it is not said. */
  readonly cacheDir?: string | undefined;
  /** Who decides when a provider is asked; this process alone when left out. */
  readonly limiter?: RateLimiter;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/** How long the file of an app that is loaded counts as there once it was seen: every run asks, and looking blocks them all. */
const SEEN_MS = 1_000;

/** An app as the runner and the tool workers use it. Its name is its folder's. */
export interface LoadedApp {
  readonly name: string;
  readonly app: App;
  readonly rootAgent: BaseAgent;
}

interface Attempt {
  readonly file: string;
  readonly app: Promise<LoadedApp>;
  /** Set once it is there. */
  loaded?: LoadedApp;
  /** When its file was last seen. */
  seenAtMs: number;
  /** Set once it failed: the newest change in the folder that it failed with. */
  failedAtMs?: number;
}

/** Loads apps by name from a folder of agents, each once; a broken one again as soon as something in it changed. */
export class AgentLoader {
  readonly agentsDir: string;
  readonly #attempts = new Map<string, Attempt>();
  readonly #adkCompat: boolean;
  readonly #compilations: KeptCompilations | undefined;
  readonly #now: () => number;

  constructor({ agentsDir, environment = {}, adkCompat = true, cacheDir, limiter, now }: AgentLoaderOptions) {
    this.agentsDir = resolve(agentsDir);
    this.#adkCompat = adkCompat;
    this.#compilations = cacheDir === undefined ? undefined : new KeptCompilations(cacheDir);
    this.#now = now ?? (() => performance.now());
    // Before any agent file runs, since it may ask for a model by name at once.
    configureModels({ ...modelSettingsFrom(environment), ...(limiter ? { limiter } : {}) });
    configureEgress(egressSettingsFrom(environment));
  }

  /** Names of the apps there are now, sorted; broken ones too. */
  listApps(): string[] {
    return listApps(this.agentsDir);
  }

  /** Loads every app now, so that no run has to wait for it; tells of each that is broken, which harms no other. */
  async preload(onBroken: (appName: string, error: unknown) => void): Promise<void> {
    for (const { name, reason } of skippedFolders(this.agentsDir)) {
      onBroken(name, new AdkError('invalid', 'app.name', reason));
    }
    for (const appName of this.listApps()) {
      // One after the other: loading keeps the event loop busy, and the heartbeats between two apps have to get out.
      await this.load(appName).catch((error: unknown) => onBroken(appName, error));
    }
  }

  /** Rejects with `app.unknown`, within a second of its file being gone, or with `agent.load-failed` that names file, line and reason. */
  async load(appName: string): Promise<LoadedApp> {
    const known = this.#attempts.get(appName);
    const file = this.#fileOf(appName);
    if (!file) throw new AdkError('not_found', 'app.unknown', `App not found: ${appName}`);
    if (known && (known.failedAtMs === undefined || known.failedAtMs === newestChange(file))) {
      return known.app;
    }
    // Read before the file is, so that a change in between is seen.
    const changedAtMs = newestChange(file);
    const attempt: Attempt = { file, app: this.#loadApp(appName, file), seenAtMs: this.#now() };
    this.#attempts.set(appName, attempt);
    attempt.app.then(
      (loaded) => {
        attempt.loaded = loaded;
      },
      () => {
        attempt.failedAtMs = changedAtMs;
      },
    );
    return attempt.app;
  }

  /**
   * An app that is loaded already, as long as its file is there, or was a second ago; nothing where `load` would have something
   * to do.
   */
  loaded(appName: string): LoadedApp | undefined {
    const loaded = this.#attempts.get(appName)?.loaded;
    return loaded && this.#fileOf(appName) !== undefined ? loaded : undefined;
  }

  /** Closes what the toolsets of all apps hold: sessions, and servers that were started for them. */
  async close(): Promise<void> {
    await this.#release(closeToolsets);
  }

  /** Closes of that what they open again by themselves: the apps go on being used. */
  async closeIdle(): Promise<void> {
    await this.#release(closeIdleToolsets);
  }

  async #release(releaseToolsets: (root: BaseAgent) => Promise<string[]>): Promise<void> {
    const apps = await Promise.allSettled([...this.#attempts.values()].map(({ app }) => app));
    const loaded = apps.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const failures = await Promise.all(loaded.map(({ rootAgent }) => releaseToolsets(rootAgent)));
    for (const reason of failures.flat()) warn('a toolset could not be closed', { reason });
  }

  /** Every run asks: the file of an app that is loaded is looked for first, and mostly there. */
  #fileOf(appName: string): string | undefined {
    const known = this.#attempts.get(appName);
    return known?.loaded && this.#isThere(known) ? known.file : findAgentFile(this.agentsDir, appName);
  }

  #isThere(attempt: Attempt): boolean {
    const nowMs = this.#now();
    if (nowMs - attempt.seenAtMs < SEEN_MS) return true;
    if (!isFile(attempt.file)) return false;
    attempt.seenAtMs = nowMs;
    return true;
  }

  async #loadApp(name: string, file: string): Promise<LoadedApp> {
    const exported = await importAgentFile(file, {
      adkCompat: this.#adkCompat,
      compilations: this.#compilations,
    });
    try {
      const app = appOf(name, file, exported);
      assertRoutes(app.rootAgent);
      return { name, app, rootAgent: app.rootAgent };
    } catch (thrown) {
      // What was exported may run code of the author's where it is looked at.
      throw isLoadFailed(thrown) ? thrown : loadFailedBy(file, thrown);
    }
  }
}
