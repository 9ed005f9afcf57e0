import { randomUUID } from 'node:crypto';
import { type Dirent } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Readable } from 'node:stream';
import { AdkError } from '@skein/contracts';
import { ByteMeter } from './byte-meter';
import {
  assertObjectKey,
  type ByteRange,
  type ByteSource,
  isObjectKey,
  type ListedObject,
  type ObjectStat,
  ObjectStore,
  type StoredObject,
} from './object-store';

const UNFINISHED = '.tmp';
/** A disk that is full or failing may be mended; the rest is a fault of ours. */
const AWAY = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE', 'EROFS', 'EACCES', 'ETIMEDOUT']);

/** Objects as files of one folder, for processes that share a disk. */
export class LocalObjectStore extends ObjectStore {
  constructor(private readonly directory: string) {
    super();
  }

  override async prepare(): Promise<void> {
    await onDisk(() => makeFolder(this.directory));
  }

  override async put(key: string, content: ByteSource): Promise<StoredObject> {
    const file = this.#fileOf(key);
    const folder = path.dirname(file);
    await onDisk(() => makeFolder(folder));
    // Under its own name only once it is whole: a reader must not see half of it after a crash.
    const unfinished = `${file}.${randomUUID()}${UNFINISHED}`;
    try {
      const stored = await writeDurably(unfinished, content);
      await onDisk(() => rename(unfinished, file));
      await onDisk(() => syncFolder(folder));
      return stored;
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  override async open(key: string, range?: ByteRange): Promise<Readable | undefined> {
    const handle = await unlessMissing(open(this.#fileOf(key), 'r'));
    return handle?.createReadStream({ ...range, highWaterMark: 256 * 1024 });
  }

  override async stat(key: string): Promise<ObjectStat | undefined> {
    return statOf(this.#fileOf(key));
  }

  override async delete(key: string): Promise<void> {
    await onDisk(() => rm(this.#fileOf(key), { force: true }));
  }

  override async *list(): AsyncIterable<ListedObject> {
    for await (const file of this.#files()) {
      const key = path.basename(file);
      const found = isObjectKey(key) && this.#fileOf(key) === file ? await statOf(file) : undefined;
      if (found) yield { key, ...found };
    }
  }

  override async dropUnfinished(beforeMs: number): Promise<number> {
    let dropped = 0;
    for await (const file of this.#files()) {
      const found = file.endsWith(UNFINISHED) ? await statOf(file) : undefined;
      if (!found || found.modifiedAtMs >= beforeMs) continue;
      await onDisk(() => rm(file, { force: true }));
      dropped += 1;
    }
    return dropped;
  }

  /** A file has no address. */
  override async link(): Promise<undefined> {
    return undefined;
  }

  /** Two levels, because a folder with a million files is slow. */
  #fileOf(key: string): string {
    assertObjectKey(key);
    return path.join(this.directory, key.slice(0, 2), key);
  }

  async *#files(): AsyncIterable<string> {
    for (const folder of await entriesOf(this.directory)) {
      if (!folder.isDirectory()) continue;
      const inside = path.join(this.directory, folder.name);
      for (const entry of await entriesOf(inside)) if (entry.isFile()) yield path.join(inside, entry.name);
    }
  }
}

async function writeDurably(file: string, content: ByteSource): Promise<StoredObject> {
  const meter = new ByteMeter();
  const handle = await onDisk(() => open(file, 'wx', 0o600));
  try {
    for await (const chunk of content) {
      meter.add(chunk);
      await onDisk(() => handle.writeFile(chunk));
    }
    await onDisk(() => handle.sync());
  } finally {
    await handle.close();
  }
  return meter.result();
}

/** A new folder is durable once the one it is in is; with several new ones, each of those. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (
    let made = path.resolve(folder);
    made.length >= path.resolve(first).length;
    made = path.dirname(made)
  ) {
    await syncFolder(path.dirname(made));
  }
}

/** A rename is durable once its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function statOf(file: string): Promise<ObjectStat | undefined> {
  const found = await unlessMissing(stat(file));
  return found && { sizeBytes: found.size, modifiedAtMs: found.mtimeMs };
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return (await unlessMissing(readdir(folder, { withFileTypes: true }))) ?? [];
}

async function unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  return onDisk(() => reading).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
}

async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || !AWAY.has(code)) throw error;
    throw new AdkError('unavailable', 'object.unavailable', `The disk of the object store failed: ${code}.`, {
      cause: error,
    });
  }
}
