import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { describeError, warn } from '@skein/engine';
import { type createJiti } from 'jiti';

type Jiti = ReturnType<typeof createJiti>;
type TransformOptions = Parameters<Jiti['transform']>[0];
type Compile = (options: TransformOptions) => string;

/** About 10 MB of agent files: a folder that holds more is one in which many were edited, or many packages compiled. */
const MAX_KEPT = 2_000;
/** Of jiti, which writes it in place of what it could not compile. */
const FAILED = '__JITI_ERROR__';
const DIGEST_LENGTH = 64;

/**
 * Compilations of agent files, each in a file of the folder that is named for all it was made of, so that an edited file, or
 * another jiti, finds none. To compile takes a compiler, and that is 0.3 to 0.6 s of processor time before its first line.
 * What cannot be read or written there is compiled as without it, and said once.
 */
export class KeptCompilations {
  #isTold = false;

  constructor(private readonly folder: string) {}

  /** What `compile` makes of these options, from an earlier time if it is there. */
  take(options: TransformOptions, compile: Compile): string {
    const file = join(this.folder, `${digestOf(JSON.stringify(madeOf(options)))}.js`);
    const kept = readKept(file);
    if (kept !== undefined) return kept;
    const code = compile(options);
    if (!code.includes(FAILED)) this.#keep(file, code);
    return code;
  }

  /** Whoever reads it sees all of it or nothing: several processes start at once. */
  #keep(file: string, code: string): void {
    const written = `${file}.${randomUUID()}`;
    try {
      // Nobody else may write what this process runs.
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      this.#makeRoom();
      writeFileSync(written, `${digestOf(code)}\n${code}`, { mode: 0o600 });
      renameSync(written, file);
    } catch (error) {
      this.#tell(error);
      discard(written);
    }
  }

  /** Which of them are of use is not known; those that are come back with the next start. */
  #makeRoom(): void {
    const files = readdirSync(this.folder);
    if (files.length < MAX_KEPT) return;
    for (const name of files) rmSync(join(this.folder, name), { force: true });
  }

  #tell(error: unknown): void {
    if (this.#isTold) return;
    this.#isTold = true;
    warn('compiled agent files are not kept', { folder: this.folder, reason: describeError(error) });
  }
}

/** A folder that refused to be written to may refuse this as well. */
function discard(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Told of already.
  }
}

/** Only `import.meta` has its file's path compiled into it: without it, copies of a file in two places are one. */
function madeOf({ source, filename = '', ...settings }: TransformOptions): unknown {
  const place = source.includes('import.meta') ? filename : extname(filename);
  return [jitiVersion(), place, settings, source];
}

/** Nothing also of a file that a crash of the machine cut short, or that is something else. */
function readKept(file: string): string | undefined {
  try {
    const kept = readFileSync(file, 'utf8');
    const code = kept.slice(DIGEST_LENGTH + 1);
    return kept.startsWith(`${digestOf(code)}\n`) ? code : undefined;
  } catch {
    // Not there yet; what else is wrong with the folder shows when it is written to.
    return undefined;
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

let version: string | undefined;

function jitiVersion(): string {
  // A package.json has one.
  version ??= (createRequire(__filename)('jiti/package.json') as { version: string }).version;
  return version;
}
