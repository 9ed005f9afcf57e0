import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { guardAgainstOrphaning } from './orphan-guard';
import { splitLines, type LineSink } from './split-lines';

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** What it wrote last, to stdout or stderr. Not stderr first: a warning of its start would hide its last words. */
  readonly lastLines: readonly string[];
}

/** A process of the stack, from the moment it runs. */
export interface RunningProcess {
  readonly pid: number;
  readonly url?: string | undefined;
  readonly healthUrl?: string | undefined;
  /** Settles when the process is gone, whatever the cause; never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Asks the process to end, kills it at the deadline, settles when it is gone. May be called twice. */
  stop(deadlineMs?: number): Promise<void>;
}

export interface GuardedCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly options?: SpawnOptions;
  readonly stopSignal: NodeJS.Signals;
  readonly onLine: LineSink;
}

const lastLinesKept = 10;

/**
 * Starts a process in a group of its own, so that Ctrl-C reaches the stack alone and the stack decides the
 * order of the end. It does not outlive us.
 */
export async function startGuardedProcess({
  command,
  args,
  options,
  stopSignal,
  onLine,
}: GuardedCommand): Promise<RunningProcess & { readonly child: ChildProcess }> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options, detached: true });
  const lastLines = collectLines(child, onLine);
  const { pid } = child;
  if (pid === undefined) throw await whyNotSpawned(child, command);
  child.on('error', () => undefined); // A failed send or kill: the exit that follows tells enough.
  const release = guardAgainstOrphaning(pid, stopSignal);
  const exited = exitOf(child, lastLines).then((exit) => {
    release();
    signalProcess(-pid, 'SIGKILL'); // Whatever the process started itself and left behind.
    return exit;
  });
  return {
    child,
    pid,
    exited,
    stop: (deadlineMs = 10_000) => stopProcess(pid, exited, stopSignal, deadlineMs),
  };
}

/** One sentence about an end nobody asked for. */
export function describeExit({ code, signal, lastLines }: ProcessExit): string {
  const how = signal ?? `exit code ${code ?? 'unknown'}`;
  return lastLines.length === 0 ? how : `${how}; its last lines:\n  ${lastLines.join('\n  ')}`;
}

async function whyNotSpawned(child: ChildProcess, command: string): Promise<Error> {
  const [cause] = (await once(child, 'error')) as [Error]; // The only event a process without a pid emits.
  return new Error(`${command} could not be started: ${cause.message}`, { cause });
}

function collectLines(child: ChildProcess, onLine: LineSink): () => readonly string[] {
  const kept: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    splitLines(stream, (line) => {
      kept.push(line);
      if (kept.length > lastLinesKept) kept.shift();
      onLine(line);
    });
  }
  return () => kept;
}

async function exitOf(child: ChildProcess, lastLines: () => readonly string[]): Promise<ProcessExit> {
  // 'close' comes after the last line was read, but never while a grandchild holds the pipe: then 'exit' counts.
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const exit = await new Promise<Omit<ProcessExit, 'lastLines'>>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  await settledWithin(closed, 200);
  return { ...exit, lastLines: [...lastLines()] };
}

async function stopProcess(
  pid: number,
  exited: Promise<ProcessExit>,
  signal: NodeJS.Signals,
  deadlineMs: number,
): Promise<void> {
  signalProcess(pid, signal);
  if (await settledWithin(exited, deadlineMs)) return;
  signalProcess(pid, 'SIGKILL');
  await exited;
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone already, which is all a signal could bring about.
  }
}

/** Whether the promise settles before the deadline; leaves no timer behind. */
async function settledWithin(promise: Promise<unknown>, deadlineMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), deadlineMs);
  });
  const settled = await Promise.race([promise.then(() => true), late]);
  clearTimeout(timer);
  return settled;
}
