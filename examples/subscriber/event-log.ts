import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { isNativeError } from 'node:util/types';
import { z } from 'zod';
import { type SessionAddress } from './message';

const positionSchema = z.object({
  appName: z.string(),
  userId: z.string(),
  sessionId: z.string(),
  sessionUid: z.string(),
  /** Of the last event that took effect. */
  seq: z.number(),
  /** How much of the file of events is true. */
  sizeBytes: z.number(),
});

/** How far a session has taken effect here. */
export type Position = z.infer<typeof positionSchema>;

const POSITION = '.position.json';

/**
 * What this subscriber does with events: for each session a file with a line per event, `<sessionUid>.jsonl`, and a file
 * with the position beside it. The position says how long the other is: what a crash left behind that is cut off,
 * so effect and position change in one step. With a database, put both into one transaction.
 */
export class EventLog {
  private constructor(private readonly directory: string) {}

  static async open(directory: string): Promise<EventLog> {
    await mkdir(directory, { recursive: true });
    return new EventLog(directory);
  }

  /** Of every session that is known here. */
  async *positions(): AsyncGenerator<Position> {
    for (const name of await readdir(this.directory)) {
      if (!name.endsWith(POSITION)) continue;
      const position = await this.#read(name);
      if (position !== undefined) yield position;
    }
  }

  /** Before the first event of a session it is at 0. */
  async positionOf({ appName, userId, sessionId, sessionUid }: SessionAddress): Promise<Position> {
    const known = await this.#read(`${sessionUid}${POSITION}`);
    return known ?? { appName, userId, sessionId, sessionUid, seq: 0, sizeBytes: 0 };
  }

  /** Stores what comes after the position; when this settles it survives a power cut. */
  async append(
    position: Position,
    events: readonly Readonly<{ seq: number; event: unknown }>[],
  ): Promise<Position> {
    const last = events.at(-1);
    if (last === undefined) return position;
    const { sessionUid, sizeBytes } = position;
    const lines = Buffer.from(events.map((stored) => `${JSON.stringify(stored)}\n`).join(''));
    const file = await open(this.#pathOf(`${sessionUid}.jsonl`), 'a', 0o600);
    try {
      await file.truncate(sizeBytes);
      await file.writeFile(lines);
      await file.sync();
    } finally {
      await file.close();
    }
    const reached = { ...position, seq: last.seq, sizeBytes: sizeBytes + lines.length };
    await this.#replace(`${sessionUid}${POSITION}`, JSON.stringify(reached));
    return reached;
  }

  async #read(name: string): Promise<Position | undefined> {
    try {
      return positionSchema.parse(JSON.parse(await readFile(this.#pathOf(name), 'utf8')));
    } catch (error) {
      if (isNativeError(error) && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Under its own name only when it is whole: a crash leaves the old one or the new one. */
  async #replace(name: string, text: string): Promise<void> {
    const aside = this.#pathOf(`${name}.new`);
    const file = await open(aside, 'w', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(aside, this.#pathOf(name));
    await this.#syncDirectory();
  }

  /** New names, too, are on the disk only then. */
  async #syncDirectory(): Promise<void> {
    const directory = await open(this.directory, 'r');
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  }

  #pathOf(name: string): string {
    return path.join(this.directory, name);
  }
}
