import { existsSync } from 'node:fs';
import { findAgentFile, listApps } from '@skein/agent-loader';
import { AdkError } from '@skein/contracts';

const MEMORY_MS = 1000;
/** A busy gateway asks for the same app at each turn, and a look at the disk is a twentieth of what the turn costs it. */
const FOUND_MS = 100;

/** The apps of AGENTS_DIR, by name alone: the gateway never loads an author's code. */
export class AgentsFolder {
  #names: readonly string[] = [];
  #readAtMs = -Infinity;
  /** When each app was seen last. */
  readonly #foundAtMs = new Map<string, number>();

  constructor(private readonly directory: string) {}

  /** Sorted; at most a second old, so that whoever polls the list does not keep the disk busy. */
  async names(): Promise<readonly string[]> {
    if (performance.now() - this.#readAtMs > MEMORY_MS) {
      this.#names = this.#read(() => listApps(this.directory));
      this.#readAtMs = performance.now();
    }
    return this.#names;
  }

  /** Refuses an app that is not there, before anything is stored for it; one that was taken away, a tenth of a second later. */
  async require(appName: string): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - (this.#foundAtMs.get(appName) ?? -Infinity) < FOUND_MS) return;
    this.#foundAtMs.delete(appName);
    const find = (): boolean => findAgentFile(this.directory, appName) !== undefined;
    // Whether the folder itself is there is asked only where the app is not.
    if (!orUnreadable(find) && !this.#read(find)) {
      throw new AdkError('not_found', 'app.unknown', `App not found: ${appName}`);
    }
    this.#foundAtMs.set(appName, nowMs);
  }

  /** A folder that cannot be read may be back soon; a client told "not found" would not come again. */
  #read<T>(read: () => T): T {
    return orUnreadable(() => {
      if (!existsSync(this.directory)) throw unreadable();
      return read();
    });
  }
}

function orUnreadable<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw AdkError.isInstance(cause) ? cause : unreadable(cause);
  }
}

function unreadable(cause?: unknown): AdkError {
  return new AdkError('unavailable', 'agents.unreadable', 'The agents folder cannot be read', { cause });
}
