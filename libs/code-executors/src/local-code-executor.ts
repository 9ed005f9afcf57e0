import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  BaseCodeExecutor,
  type CodeExecutionInput,
  type CodeExecutionResult,
  type CodeExecutorOptions,
  type Context,
} from '@skein/engine';
import { type Language, languageCalled, programFor } from './languages';
import { type ProgramEnd, runProgram } from './run-program';

export interface LocalCodeExecutorOptions extends CodeExecutorOptions {
  /** Bound of one block of code, in milliseconds. */
  readonly timeoutMs?: number;
  /** What may be run; code that names no language is in the first of them. */
  readonly languages?: readonly Language[];
}

const TIMEOUT_MS = 30_000;
/** The call around the code may last longer, so that the code's own end is what is told. */
const CALL_MARGIN_MS = 10_000;
const OUTPUT_LIMIT_BYTES = 64 * 1024;

/**
 * Runs code as a process of its own, in a folder of its own, without input and environment. It is no sandbox: the code
 * can do to this machine and its network whatever the worker's user can, so it is for code that is trusted, or for
 * workers that are fenced in from outside.
 */
export class LocalCodeExecutor extends BaseCodeExecutor {
  readonly timeoutMs: number;
  readonly languages: readonly Language[];

  constructor({
    timeoutMs = TIMEOUT_MS,
    languages = ['javascript', 'python'],
    ...options
  }: LocalCodeExecutorOptions = {}) {
    super({ ...options, timeoutMs: timeoutMs + CALL_MARGIN_MS });
    this.timeoutMs = timeoutMs;
    this.languages = languages;
  }

  override async executeCode(
    { code, language }: CodeExecutionInput,
    { signal }: Context,
  ): Promise<CodeExecutionResult> {
    const named = language === '' ? this.languages[0] : languageCalled(language);
    if (!named || !this.languages.includes(named)) {
      return {
        stdout: '',
        stderr: `Code in "${language}" is not run here; only ${this.languages.join(', ')}.`,
      };
    }
    const program = programFor(named, code);
    if (!program) return { stdout: '', stderr: `This machine has no ${named}.` };

    const folder = await mkdtemp(path.join(tmpdir(), 'skein-code-'));
    try {
      await writeFile(path.join(folder, program.filename), code);
      const { timeoutMs } = this;
      const end = await runProgram({
        command: program.command,
        args: [...program.args, program.filename],
        cwd: folder,
        timeoutMs,
        outputLimitBytes: OUTPUT_LIMIT_BYTES,
        signal,
      });
      return resultOf(end, timeoutMs);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

/** A program that ended well did nothing wrong, whatever it wrote to stderr: that is shown behind its output then. */
function resultOf(end: ProgramEnd, timeoutMs: number): CodeExecutionResult {
  const { stdout, stderr } = end;
  const failure = failureOf(end, timeoutMs);
  if (failure === undefined) return { stdout: joined(stdout, stderr), stderr: '' };
  return { stdout, stderr: stderr.trim() && !end.isTimedOut ? stderr : joined(stderr, failure) };
}

function failureOf({ exitCode, killedBy, isTimedOut }: ProgramEnd, timeoutMs: number): string | undefined {
  if (isTimedOut) return `The code did not finish within ${timeoutMs} ms.`;
  if (killedBy) return `The code was ended by ${killedBy}.`;
  return exitCode === 0 ? undefined : `The code ended with exit code ${exitCode ?? 'unknown'}.`;
}

function joined(...texts: readonly string[]): string {
  return texts
    .map((text) => text.trimEnd())
    .filter((text) => text)
    .join('\n');
}
