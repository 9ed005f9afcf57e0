import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { AdkError } from '@skein/contracts';
import { ObjectStore, type StoredObject } from './object-store';

const KEY = /^[a-z0-9][a-z0-9-]{7,127}$/;

/** Objects as files of one folder, for processes that share a disk. */
export class LocalObjectStore extends ObjectStore {
  constructor(private readonly directory: string) {
    super();
  }

  override async put(key: string, bytes: Uint8Array): Promise<StoredObject> {
    const file = this.#fileOf(key);
    const folder = path.dirname(file);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Under its own name only once it is whole: a reader must not see half of it after a crash.
    const unfinished = `${file}.${process.pid}.tmp`;
    await writeDurably(unfinished, bytes);
    await rename(unfinished, file);
    await syncFolder(folder);
    return { sizeBytes: bytes.byteLength, sha256: createHash('sha256').update(bytes).digest('hex') };
  }

  override async get(key: string): Promise<Uint8Array | undefined> {
    try {
      return await readFile(this.#fileOf(key));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  override async delete(key: string): Promise<void> {
    await rm(this.#fileOf(key), { force: true });
  }

  /** Two levels, because a folder with a million files is slow. */
  #fileOf(key: string): string {
    if (!KEY.test(key)) throw new AdkError('invalid', 'object.key', 'the object key is malformed');
    return path.join(this.directory, key.slice(0, 2), key);
  }
}

async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
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
