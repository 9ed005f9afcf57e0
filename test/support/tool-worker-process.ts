import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { builtEntries } from '@skein/stack';

const ENTRY = builtEntries()['tool-worker'];

/** A tool worker as the stack starts one. */
export class ToolWorkerProcess {
  log = '';
  readonly ready: Promise<void>;
  readonly exitCode: Promise<number | null>;
  readonly #child: ChildProcess;

  constructor(env: NodeJS.ProcessEnv) {
    this.#child = spawn(process.execPath, [ENTRY], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
    }
    // Not its pipes' end: what a tool started may keep those.
    this.exitCode = once(this.#child, 'exit').then(([code]) => code as number | null); // As node documents it.
    const told = once(this.#child, 'message').then(([report]) => {
      const { type, reason } = report as { type: string; reason?: string }; // As our apps send it.
      if (type !== 'ready') throw new Error(reason);
    });
    const died = this.exitCode.then((code) => {
      throw new Error(`the worker ended with ${code} before it was ready; its log:\n${this.log}`);
    });
    died.catch(() => undefined); // Of one that was ready, its end is the test's.
    this.ready = Promise.race([told, died]);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.exitCode;
  }
}
