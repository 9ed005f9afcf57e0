import { existsSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AdkError } from '@skein/contracts';
import { asError } from '@skein/engine';

/** Of the running installation, compiled or not; bundled, our libs are inside of our apps. */
const OUR_FOLDERS = ['libs', 'apps'].map((folder) => resolve(__dirname, '..', '..', '..', folder) + sep);

const LOAD_FAILED = 'agent.load-failed';

/** `agent.load-failed` with a reason of our own; there is no line for what is missing. */
export function loadFailed(file: string, reason: string): AdkError {
  return new AdkError('invalid', LOAD_FAILED, `${shown(file)}: ${reason}.`);
}

export function isLoadFailed(thrown: unknown): boolean {
  return AdkError.isInstance(thrown) && thrown.code === LOAD_FAILED;
}

/** `agent.load-failed` for what an agent file threw: `examples/agents/x/agent.ts:12: Unexpected token`. */
export function loadFailedBy(file: string, thrown: unknown): AdkError {
  const error = readable(thrown);
  const { path, line } = placeInMessage(error) ?? placeInStack(error) ?? { path: file, line: undefined };
  const place = line === undefined ? shown(path) : `${shown(path)}:${line}`;
  return new AdkError('invalid', LOAD_FAILED, `${place}: ${reasonOf(error)}`, { cause: error });
}

/** Anything can be thrown, also an error that throws when a log or this file reads its stack. */
function readable(thrown: unknown): Error {
  const error = asError(thrown);
  try {
    return typeof error.stack === 'string' ? error : new Error(error.message);
  } catch {
    return new Error(error.message);
  }
}

interface Place {
  readonly path: string;
  readonly line: string | undefined;
}

/** A syntax error's stack is the compiler's; the place it complains of is the end of its message. */
function placeInMessage({ message }: Error): Place | undefined {
  const found = /^\s*(?<path>\S.*?):(?<line>\d+):\d+\s*$/m.exec(message)?.groups;
  return found?.path && existsSync(found.path) ? { path: found.path, line: found.line } : undefined;
}

/** The innermost line of an author's code: not Node's, not this library's, not an installed package's. */
function placeInStack({ stack = '' }: Error): Place | undefined {
  for (const [, where = '', line] of stack.matchAll(/^\s+at (?:.*\()?(.+?):(\d+):\d+\)?$/gm)) {
    const path = where.startsWith('file:') ? fileURLToPath(where) : where;
    if (isAbsolute(path) && !isOurs(path)) return { path, line };
  }
  return undefined;
}

function isOurs(path: string): boolean {
  return path.includes(`${sep}node_modules${sep}`) || OUR_FOLDERS.some((folder) => path.startsWith(folder));
}

/** One sentence: the first line of the message, without the compiler's prefix. */
function reasonOf({ name, message }: Error): string {
  const [first = ''] = message
    .replace(/^ParseError:\s*/, '')
    .trim()
    .split('\n');
  return first.trim() || name;
}

function shown(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') || isAbsolute(fromHere) ? path : fromHere;
}
