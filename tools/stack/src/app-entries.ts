import path from 'node:path';
import type { AppName } from './app-environment';
import { repositoryRoot } from './repository-root';

/** The compiled programs the stack runs. */
export type AppEntries = Readonly<Record<AppName | 'migrate', string>>;

export function builtEntries(): AppEntries {
  const main = (app: AppName, file = 'main'): string =>
    path.join(repositoryRoot(), 'dist', 'apps', app, 'src', `${file}.js`);
  return {
    migrate: main('session-svc', 'migrate'),
    'session-svc': main('session-svc'),
    runner: main('runner'),
    'tool-worker': main('tool-worker'),
    gateway: main('gateway'),
  };
}
