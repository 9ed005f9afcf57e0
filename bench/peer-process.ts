import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { EARLY_LOOKS } from '@skein/platform';
import { nodeArguments, nodeOptions } from '@skein/stack';
import type { Load, LoadTaken } from './run-turns';

export type PeerName = 'restate' | 'dbos' | 'google-adk' | 'google-adk-in-memory';

type Told = { readonly ready: true } | { readonly taken: LoadTaken } | { readonly failed: string };

const FOLDER = path.join(process.cwd(), 'bench', 'peers');

/** They are no dependencies of Skein's, so `npm ci` in their own folder is left to whoever measures them. */
export function installPeers(): void {
  if (existsSync(path.join(FOLDER, 'node_modules', '.package-lock.json'))) return;
  console.error('installing the peers in bench/peers');
  execFileSync('npm', ['ci', '--silent'], { cwd: FOLDER, stdio: 'inherit' });
}

/** What is measured, by package. */
export function peerVersions(): Readonly<Record<string, string>> {
  // Our own package.json.
  const { dependencies } = JSON.parse(readFileSync(path.join(FOLDER, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const measured = [
    '@restatedev/restate-server',
    '@restatedev/restate-sdk',
    '@dbos-inc/dbos-sdk',
    '@google/adk',
  ];
  return Object.fromEntries(measured.map((name) => [name, dependencies[name] ?? 'unknown']));
}

/** A peer in a process of its own, which makes its load itself: to a library in the same process, none is faster. */
export class PeerProcess {
  private constructor(
    private readonly name: PeerName,
    private readonly child: ChildProcess,
  ) {}

  static async start(name: PeerName, databaseUrl: string, dataDir: string): Promise<PeerProcess> {
    const jiti = path.join(process.cwd(), 'node_modules', 'jiti', 'lib', 'jiti-cli.mjs');
    const child = fork(jiti, [path.join(FOLDER, 'main.ts'), name, databaseUrl, dataDir], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // None of them says how large its young generation should be, when it is given back, or how early V8 should compile: as with
      // our runner, from the start on.
      execArgv: [...nodeArguments, EARLY_LOOKS],
      env: { ...process.env, NODE_OPTIONS: nodeOptions('runner', process.env) },
    });
    const peer = new PeerProcess(name, child);
    await peer.#told();
    return peer;
  }

  async run(load: Load): Promise<LoadTaken> {
    const told = this.#told();
    this.child.send(load);
    const answer = await told;
    if (!('taken' in answer)) throw new Error(`${this.name} did not run its load: ${JSON.stringify(answer)}`);
    return answer.taken;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.send('stop');
    await ended;
  }

  async #told(): Promise<Told> {
    const waiting = new AbortController();
    const { signal } = waiting;
    const died = once(this.child, 'exit', { signal }).then(([code]): never => {
      throw new Error(`${this.name} ended with ${code}`);
    });
    died.catch(() => undefined); // Lost the race, or is told of there.
    const [told] = (await Promise.race([once(this.child, 'message', { signal }), died])) as [Told]; // main.ts's.
    waiting.abort();
    if ('failed' in told) throw new Error(`${this.name}: ${told.failed}`);
    return told;
  }
}
