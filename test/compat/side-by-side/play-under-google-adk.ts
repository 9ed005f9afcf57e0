import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { type Played } from './play';

/** What the child says: which case it begins, and in the end what all of them came to. */
type Said = { readonly begins: string } | { readonly played: Readonly<Record<string, Played>> };

interface Bounds {
  /** What is played, in the place of every case. */
  readonly script?: string;
  /** How long the child may take to begin, and then for each case, in milliseconds. */
  readonly deadlineMs?: number;
}

/** Ample: it may run beside suites that keep every core busy, at the lowest priority. */
const DEADLINE_MS = 240_000;

/**
 * Plays every case under @google/adk, in a process in which nothing stands in its place; by the name of the case. A case
 * that does not end is named, and its process killed.
 */
export async function playUnderGoogleAdk({
  script = 'under-google-adk.mjs',
  deadlineMs = DEADLINE_MS,
}: Bounds = {}): Promise<Readonly<Record<string, Played>>> {
  // Its logger writes to stdout.
  const child = fork(join(__dirname, script), { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const deadline = new Deadline(child, deadlineMs);
  try {
    return await new Promise((resolve, reject) => {
      deadline.onLate = reject;
      child.on('message', (message: Said) => {
        if ('begins' in message) deadline.begin(message.begins);
        // Made anew, for what another realm made is equal to nothing of this one.
        else resolve(JSON.parse(JSON.stringify(message.played)) as Record<string, Played>);
      });
      child.on('error', reject);
      // Too late once there was a message.
      child.on('close', (code) => {
        reject(new Error(`@google/adk played nothing; exit code ${String(code)}:\n${said}`));
      });
    });
  } finally {
    deadline.end();
  }
}

class Deadline {
  onLate: (error: Error) => void = () => undefined;
  #what = 'the first case';
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly child: ChildProcess,
    private readonly ms: number,
  ) {
    this.begin(this.#what);
  }

  begin(what: string): void {
    this.#what = what;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // It may be in a loop that hears no other signal.
      this.child.kill('SIGKILL');
      this.onLate(new Error(`Under @google/adk, ${this.#what} did not end in ${String(this.ms)} ms.`));
    }, this.ms);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
