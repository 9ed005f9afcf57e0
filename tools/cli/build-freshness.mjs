import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const sources = ['apps', 'libs', 'tools', 'bench', 'tsconfig.json', 'tsconfig.build.json', 'nest-cli.json'];
const ignored = /^node_modules$|^__fixtures__$|^test$|^bin$|^peers$|\.spec\.ts$/;

/** Whether something was changed, added or removed since dist was made; false where there are no sources. */
export function isBuildStale(root) {
  const builtAtMs = Math.max(modifiedAt(path.join(root, 'dist', '.tsbuildinfo')), modifiedAt(stampOf(root)));
  return sources.some((source) => isNewer(path.join(root, source), builtAtMs));
}

/**
 * Remembers when the build began: what was saved while it ran is newer. The compiler's own record does not
 * change when a file was touched and means the same.
 */
export function markBuilt(root, startedAtMs) {
  writeFileSync(stampOf(root), '');
  utimesSync(stampOf(root), startedAtMs / 1000, startedAtMs / 1000);
}

function stampOf(root) {
  return path.join(root, 'dist', '.built');
}

/** A folder's own time tells of removed files. */
function isNewer(file, builtAtMs) {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (stats.mtimeMs > builtAtMs) return true;
  if (!stats.isDirectory()) return false;
  return readdirSync(file).some((name) => !ignored.test(name) && isNewer(path.join(file, name), builtAtMs));
}

function modifiedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
