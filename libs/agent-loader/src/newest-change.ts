import { type Dirent, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * When the folder of an agent file last changed, in milliseconds since the epoch. All files count, because a broken one
 * may be imported by the agent file; installed packages do not, there are too many of them.
 */
export function newestChange(agentFile: string): number {
  return newestIn(dirname(agentFile));
}

function newestIn(folder: string): number {
  const changes = readdirSync(folder, { withFileTypes: true }).map((entry) => changeOf(folder, entry));
  return Math.max(0, ...changes);
}

function changeOf(folder: string, entry: Dirent): number {
  if (entry.name === 'node_modules' || entry.name.startsWith('.')) return 0;
  const path = join(folder, entry.name);
  if (entry.isDirectory()) return newestIn(path);
  // An editor's temporary file may be gone by now.
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
