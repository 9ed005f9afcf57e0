import { lstatSync, mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * A folder of ours that the PostgreSQL account can reach, for what it cannot reach where it belongs: the data
 * when DATA_DIR lies under a closed folder such as /root, the binaries when node_modules does. We never open
 * somebody else's folder for it. Root takes /var/lib/skein, which outlives a reboot and where nobody else can
 * put a trap; the temporary folder is the second choice, and is taken only if the folder is really ours.
 */
export function postgresShelter(): string {
  const isRoot = process.getuid?.() === 0;
  const inTmp = path.join(os.tmpdir(), `skein-${process.getuid?.() ?? os.userInfo().username}`);
  const candidates = isRoot ? ['/var/lib/skein', inTmp] : [inTmp];
  const found = candidates.find((directory) => makeOwnDirectory(directory, isRoot ? 0o711 : 0o700));
  if (found !== undefined) return found;
  throw new Error(`Cannot make a folder of our own for PostgreSQL; tried ${candidates.join(', ')}`);
}

/** Not `recursive`: that would take an existing folder, or a link put there by someone else, for ours. */
function makeOwnDirectory(directory: string, mode: number): boolean {
  try {
    mkdirSync(directory, { mode });
    return true;
  } catch {
    // It exists, or may not be made: which of the two shows below.
  }
  const stats = lstatSync(directory, { throwIfNoEntry: false });
  return (
    stats !== undefined &&
    stats.isDirectory() &&
    stats.uid === process.getuid?.() &&
    (stats.mode & 0o022) === 0
  );
}
