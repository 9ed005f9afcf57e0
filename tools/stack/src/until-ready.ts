import { describeExit, type RunningProcess } from './guarded-process';
import { waitUntil } from './wait-until';

export interface Readiness {
  /** As the user knows it: "PostgreSQL". */
  readonly name: string;
  /** Asks the process; undefined means not yet, a rejection means never. */
  readonly ask: () => Promise<true | undefined>;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the process once it answers; ends it and throws when it dies first, is too late, or is not wanted any more. */
export async function untilReady<T extends RunningProcess>(
  server: T,
  { name, ask, deadlineMs, signal }: Readiness,
): Promise<T> {
  const over = new AbortController();
  const died = server.exited.then((exit) => {
    throw new Error(`${name} ended before it was ready: ${describeExit(exit)}`);
  });
  const answered = waitUntil(ask, {
    deadlineMs,
    signal: AbortSignal.any([over.signal, ...(signal ? [signal] : [])]),
  });
  try {
    if (await Promise.race([answered, died])) return server;
    throw new Error(`${name} did not answer within ${deadlineMs} ms`);
  } catch (error) {
    await server.stop();
    throw error;
  } finally {
    over.abort();
  }
}
