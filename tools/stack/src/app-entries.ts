import { statSync } from 'node:fs';
import path from 'node:path';
import type { AppName } from './app-environment';
import { repositoryRoot } from './repository-root';

/** The compiled programs the stack runs. */
export type AppEntries = Readonly<Record<AppName | 'migrate', string>>;

export function builtEntries(root = repositoryRoot()): AppEntries {
  const dist = path.join(root, 'dist');
  const main = (app: AppName, file = 'main'): string =>
    builtEntry(dist, path.join('apps', app, 'src', `${file}.js`));
  return {
    migrate: main('session-svc', 'migrate'),
    'session-svc': main('session-svc'),
    runner: main('runner'),
    'tool-worker': main('tool-worker'),
    gateway: main('gateway'),
  };
}

/** The program as one file, which starts in half the time; as the compiler left it, where that is newer. */
function builtEntry(dist: string, program: string): string {
  const bundle = path.join(dist, 'bundled', program);
  const compiledAtMs = writtenAt(path.join(dist, '.tsbuildinfo')) ?? 0;
  return (writtenAt(bundle) ?? -1) >= compiledAtMs ? bundle : path.join(dist, program);
}

function writtenAt(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
