import { existsSync } from 'node:fs';
import { findAgentFile, listApps } from '@skein/agent-loader';
import { AdkError } from '@skein/contracts';

const MEMORY_MS = 1000;

/** The apps of AGENTS_DIR, by name alone: the gateway never loads an author's code. */
export class AgentsFolder {
  #names: readonly string[] = [];
  #readAt = -Infinity;

  constructor(private readonly directory: string) {}

  /** Sorted; at most a second old, so that whoever polls the list does not keep the disk busy. */
  async names(): Promise<readonly string[]> {
    if (performance.now() - this.#readAt > MEMORY_MS) {
      this.#names = this.#read(() => listApps(this.directory));
      this.#readAt = performance.now();
    }
    return this.#names;
  }

  /** Refuses an app that is not there, before anything is stored for it. */
  async require(appName: string): Promise<void> {
    const find = (): boolean => findAgentFile(this.directory, appName) !== undefined;
    // Every turn asks; whether the folder itself is there is asked only where the app is not.
    if (orUnreadable(find) || this.#read(find)) return;
    throw new AdkError('not_found', 'app.unknown', `App not found: ${appName}`);
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
