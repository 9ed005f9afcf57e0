import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SourceError } from '../session-source';

const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;
const WAL = 2;
/** Where the header says how texts are written; 0 in a database without tables. */
const ENCODING_AT = 56;
const UTF8 = 1;

/**
 * A SQLite file that is only read. SQLite in WebAssembly knows neither the locks of other processes nor write-ahead logs,
 * so whether somebody writes is seen by what a writer leaves: a journal beside the file, and the file's change counter.
 */
export class SqliteFile {
  readonly #before: string;
  /**
   * Where it is opened: what the driver locks with is made there and not beside the file, so a kill leaves no lock on it, only
   * this folder, which no later import opens.
   */
  readonly openAs: string;
  readonly #folder: string;

  constructor(readonly file: string) {
    this.#before = this.#mark();
    this.#folder = mkdtempSync(path.join(tmpdir(), 'skein-import-'));
    this.openAs = path.join(this.#folder, 'source.db');
    symlinkSync(path.resolve(file), this.openAs);
  }

  assertUnchanged(): void {
    if (this.#mark() === this.#before) return;
    throw new SourceError(
      `${this.file} was written to while it was read: stop what writes to it, and import again.`,
    );
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** What a write changes; throws where one is under way, or has left what is not in the file yet. */
  #mark(): string {
    const header = readHeader(this.file);
    for (const [suffix, what] of Object.entries(LEFTOVERS)) {
      const beside = this.file + suffix;
      if (existsSync(beside) && statSync(beside).size > 0) {
        throw new SourceError(
          `${this.file} is locked or was not closed: ${beside} holds ${what}. Stop what writes to it; ` +
            `if nothing does, \`${CHECKPOINT}\` puts it in order.`,
        );
      }
    }
    if (header.readUInt32BE(ENCODING_AT) > UTF8) {
      throw new SourceError(
        `${this.file} holds its texts in UTF-16, which is not read: \`sqlite3 FILE .dump | sqlite3 NEW\` makes a copy ` +
          'in UTF-8; import that one.',
      );
    }
    if (header[18] === WAL || header[19] === WAL) {
      throw new SourceError(
        `${this.file} keeps a write-ahead log, which is not read: stop what writes to it and run ` +
          `\`${CHECKPOINT}\`.`,
      );
    }
    const { size, mtimeMs } = statSync(this.file);
    return [size, mtimeMs, header.subarray(24, 28).toString('hex')].join();
  }
}

const LEFTOVERS: Readonly<Record<string, string>> = {
  '-journal': 'a transaction under way',
  '-wal': 'what is not in it yet',
};
const CHECKPOINT = 'sqlite3 FILE "PRAGMA journal_mode=DELETE"';

function readHeader(file: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  try {
    const handle = openSync(file, 'r');
    try {
      readSync(handle, header, 0, HEADER_BYTES, 0);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    throw new SourceError(
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  }
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw new SourceError(`${file} is not a SQLite database.`);
  }
  return header;
}
