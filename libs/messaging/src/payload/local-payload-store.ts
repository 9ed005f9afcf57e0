import { randomUUID } from 'node:crypto';
import { mkdir, open, rename } from 'node:fs/promises';
import path from 'node:path';
import { AdkError } from '@skein/contracts';
import { isFileMissing } from './is-file-missing';
import { PayloadStore } from './payload-store';
import { removeOldFiles } from './remove-old-files';

const KEY = /^[0-9a-f-]{36}$/;
const KEPT_MS = 3 * 24 * 60 * 60_000;

/** Payloads as files of one folder, for processes that share a disk. */
export class LocalPayloadStore extends PayloadStore {
  #directoryMade: Promise<unknown> | undefined;

  constructor(private readonly directory: string) {
    super();
  }

  override async put(bytes: Uint8Array): Promise<string> {
    const key = randomUUID();
    try {
      // One promise for all: a put that came second would else open a file in a folder that is still being made.
      this.#directoryMade ??= mkdir(this.directory, { recursive: true, mode: 0o700 });
      await this.#directoryMade;
      await this.#write(key, bytes);
    } catch (cause) {
      // The folder may be gone: the next put makes it anew.
      this.#directoryMade = undefined;
      throw new AdkError('unavailable', 'payload.store', 'the payload cannot be stored', { cause });
    }
    return key;
  }

  override async get(key: string, maxBytes: number): Promise<Uint8Array> {
    // The key comes out of a message: as a path it could name any file.
    if (!KEY.test(key)) throw new AdkError('invalid', 'payload.key', 'the payload reference is malformed');
    try {
      return await this.#read(key, maxBytes);
    } catch (cause) {
      if (AdkError.isInstance(cause)) throw cause;
      throw isFileMissing(cause)
        ? new AdkError('not_found', 'payload.missing', `payload ${key} is not there`, { cause })
        : new AdkError('unavailable', 'payload.store', `payload ${key} cannot be read`, { cause });
    }
  }

  override async collectOld(): Promise<void> {
    await removeOldFiles(this.directory, Date.now() - KEPT_MS);
  }

  /** Under its own name only when it is whole: a reader sees all of it or nothing. */
  async #write(key: string, bytes: Uint8Array): Promise<void> {
    const unfinished = this.#fileOf(`${key}.tmp`);
    const file = await open(unfinished, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, this.#fileOf(key));
  }

  async #read(key: string, maxBytes: number): Promise<Uint8Array> {
    const file = await open(this.#fileOf(key), 'r');
    try {
      const { size } = await file.stat();
      if (size > maxBytes) throw new AdkError('invalid', 'payload.size', `payload ${key} has ${size} bytes`);
      return await file.readFile();
    } finally {
      await file.close();
    }
  }

  #fileOf(name: string): string {
    return path.join(this.directory, name);
  }
}
