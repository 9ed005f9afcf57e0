import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { BoundedOutput } from './bounded-output';

export interface RunProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly outputLimitBytes: number;
  readonly signal: AbortSignal;
}

export interface ProgramEnd {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  readonly killedBy: NodeJS.Signals | null;
  readonly isTimedOut: boolean;
}

/** After the program itself has ended: what is in its pipes by then is read, and who else holds them is not waited for. */
const PIPES_GRACE_MS = 500;

/**
 * Runs a program without input and environment, in a process group of its own, which ends with it. Rejects when it
 * cannot be started, and with the signal's reason when that aborts.
 */
export async function runProgram(options: RunProgram): Promise<ProgramEnd> {
  const { command, args, cwd, timeoutMs, outputLimitBytes, signal } = options;
  signal.throwIfAborted();
  const child = spawn(command, args, { cwd, env: {}, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const stdout = new BoundedOutput(child.stdout, outputLimitBytes);
  const stderr = new BoundedOutput(child.stderr, outputLimitBytes);
  const kill = (): void => killGroup(child);
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    kill();
  }, timeoutMs);
  signal.addEventListener('abort', kill, { once: true });
  try {
    const [exitCode, killedBy] = await ended(child);
    signal.throwIfAborted();
    return { stdout: stdout.text, stderr: stderr.text, exitCode, killedBy, isTimedOut };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
  }
}

async function ended(child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> {
  const closed = once(child, 'close');
  // It rejects where `exit` does, and is awaited only after that.
  closed.catch(() => undefined);
  const exit = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  // What it started and left behind ends with it.
  killGroup(child);
  const waiting = new AbortController();
  await Promise.race([
    closed,
    delay(PIPES_GRACE_MS, undefined, { signal: waiting.signal }).catch(() => undefined),
  ]);
  waiting.abort();
  child.stdout?.destroy();
  child.stderr?.destroy();
  return exit;
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The whole group has ended already.
  }
}
