import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AdkError, appNameSchema } from '@skein/contracts';

const ENTRY_FILES = ['agent.ts', 'agent.js', 'agent.mjs'];
const MEMORY_MS = 1000;

/** The apps of AGENTS_DIR, by name alone: the gateway never loads an author's code. */
export class AgentsFolder {
  #names: Promise<string[]> | undefined;
  #readAt = 0;

  constructor(private readonly directory: string) {}

  /** Sorted; at most a second old, so that a turn costs no directory read. */
  async names(): Promise<string[]> {
    if (this.#names === undefined || performance.now() - this.#readAt > MEMORY_MS) {
      this.#readAt = performance.now();
      this.#names = findApps(this.directory);
    }
    return this.#names;
  }

  /** Refuses an app that is not there, before anything is stored for it. */
  async require(appName: string): Promise<void> {
    const names = await this.names();
    if (!names.includes(appName)) throw new AdkError('not_found', 'app.unknown', `App not found: ${appName}`);
  }
}

async function findApps(directory: string): Promise<string[]> {
  const entries = await readdir(directory).catch((cause: unknown) => {
    throw new AdkError('unavailable', 'agents.unreadable', 'The agents folder cannot be read', { cause });
  });
  // A name of the wrong form is no app: it begins with "_" or ".", or could not be an app_name.
  const candidates = entries.filter((name) => appNameSchema.safeParse(name).success);
  const areApps = await Promise.all(candidates.map((name) => hasEntryFile(join(directory, name))));
  return candidates.filter((_name, i) => areApps[i] === true).sort();
}

async function hasEntryFile(folder: string): Promise<boolean> {
  const found = await Promise.all(ENTRY_FILES.map((file) => isFile(join(folder, file))));
  return found.includes(true);
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined); // Absent is an answer.
  return found?.isFile() === true;
}
