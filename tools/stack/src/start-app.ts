import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import { describeExit, startGuardedProcess, type RunningProcess } from './guarded-process';
import { nodeArguments } from './node-arguments';
import type { LineSink } from './split-lines';

export interface AppProcess {
  readonly name: string;
  /** The compiled main.js. */
  readonly entry: string;
  readonly args?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly onLine: LineSink;
  readonly readyTimeoutMs?: number;
}

/** One of our apps, ready; `child` for whoever talks to it over IPC. */
export interface RunningApp extends RunningProcess {
  readonly child: ChildProcess;
}

const report = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), url: z.string().optional(), healthUrl: z.string() }),
  z.object({ type: z.literal('failed'), reason: z.string() }),
]);

/** Starts one of our apps and returns once it reports over IPC that it is ready; throws its reason when it is not. */
export async function startApp(app: AppProcess, signal: AbortSignal): Promise<RunningApp> {
  signal.throwIfAborted();
  const running = await startGuardedProcess({
    command: process.execPath,
    args: [...nodeArguments, app.entry, ...(app.args ?? [])],
    options: { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env: app.env },
    stopSignal: 'SIGTERM',
    onLine: app.onLine,
  });
  const readyTimeoutMs = app.readyTimeoutMs ?? 60_000;
  const over = new AbortController();
  const listening = { signal: AbortSignal.any([over.signal, signal, AbortSignal.timeout(readyTimeoutMs)]) };
  const reported = once(running.child, 'message', listening).then(([message]) => report.parse(message));
  const died = running.exited.then((exit) => {
    throw new Error(`${app.name} ended before it was ready: ${describeExit(exit)}`);
  });
  try {
    const message = await Promise.race([reported, died]);
    if (message.type === 'failed') throw new Error(`${app.name} cannot start: ${message.reason}`);
    return { ...running, url: message.url, healthUrl: message.healthUrl };
  } catch (error) {
    await running.stop(2_000);
    signal.throwIfAborted();
    if (isTimeout(listening.signal)) {
      throw new Error(`${app.name} did not report ready within ${readyTimeoutMs} ms`, { cause: error });
    }
    throw error;
  } finally {
    over.abort();
  }
}

function isTimeout({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof Error && reason.name === 'TimeoutError';
}
