import { describeExit, startGuardedProcess } from './guarded-process';
import type { LineSink } from './split-lines';

/** Brings the schema up to date with session-svc's own migrate program; throws what it said when it fails. */
export async function runMigrations(
  entry: string,
  env: NodeJS.ProcessEnv,
  onLine: LineSink,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const migration = await startGuardedProcess({
    command: process.execPath,
    args: [entry, 'up'],
    options: { env },
    stopSignal: 'SIGTERM',
    onLine,
  });
  const stop = (): void => void migration.stop(2_000);
  signal.addEventListener('abort', stop, { once: true });
  const exit = await migration.exited;
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  if (exit.code !== 0) throw new Error(`The database could not be migrated: ${describeExit(exit)}`);
}
