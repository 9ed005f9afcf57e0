import { readFileSync } from 'node:fs';
import { builtEntries, type RunningApp, startApp } from '@skein/stack';
import { type BenchStack } from './with-stack';

/** Another session-svc beside that of a stack, which starts only one: with the environment of the first. Reads /proc. */
export function startSecondSessionSvc(stack: BenchStack): Promise<RunningApp> {
  const environment = readFileSync(`/proc/${stack.pidOf('session-svc')}/environ`, 'utf8');
  const variables = environment
    .split('\0')
    .filter((line) => line.includes('='))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const);
  const env = {
    ...Object.fromEntries(variables),
    SKEIN_PROCESS_NAME: 'session-svc-2',
    GUESS_CLAIMS: 'false',
  };
  const onLine = (line: string): void => console.error(`session-svc-2 | ${line}`);
  const { 'session-svc': entry } = builtEntries();
  return startApp({ name: 'session-svc-2', entry, env, onLine }, new AbortController().signal);
}
