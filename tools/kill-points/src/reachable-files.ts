import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** Processes that are killed. The gateway keeps nothing, and its clients' streams are tests of their own. */
export const KILLED_APPS = ['runner', 'tool-worker', 'session-svc'] as const;

/** The sources the killed apps consist of: their own and of the libs they run, as paths from the root, sorted. */
export function reachableFiles(root: string): readonly string[] {
  const open = KILLED_APPS.map((app) => `apps/${app}/src/main.ts`);
  const reached = new Set<string>();
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    open.push(...importsOf(root, file));
  }
  return [...reached].sort();
}

function importsOf(root: string, file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(path.join(root, file), 'utf8'), true, true);
  return importedFiles.flatMap(({ fileName }) => fileOf(root, file, fileName) ?? []);
}

function fileOf(root: string, from: string, imported: string): string | undefined {
  const [, lib] = /^@skein\/([a-z-]+)$/.exec(imported) ?? [];
  if (lib !== undefined) return `libs/${lib}/src/index.ts`;
  if (!imported.startsWith('.')) return undefined;
  const base = path.posix.join(path.posix.dirname(from), imported);
  return [`${base}.ts`, `${base}/index.ts`].find((file) => existsSync(path.join(root, file)));
}
