import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { AdkError } from '@skein/contracts';
import { PayloadStore } from './payload-store';

const KEY = /^[0-9a-f-]{36}$/;
const KEPT_MS = 3 * 24 * 60 * 60_000;
const COLLECT_EVERY_MS = 60 * 60_000;

/** Payloads as files of one folder, for processes that share a disk. Old ones are collected now and then by a writer. */
export class LocalPayloadStore extends PayloadStore {
  #collectedAtMs = 0;

  constructor(private readonly directory: string) {
    super();
  }

  override async put(bytes: Uint8Array): Promise<string> {
    await this.#collectOld();
    const key = randomUUID();
    const unfinished = this.#fileOf(`${key}.tmp`);
    const file = await open(unfinished, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, this.#fileOf(key));
    return key;
  }

  override async get(key: string, maxBytes: number): Promise<Uint8Array> {
    // The key comes out of a message: as a path it could name any file.
    if (!KEY.test(key)) throw new AdkError('invalid', 'payload.key', 'the payload reference is malformed');
    const file = await open(this.#fileOf(key), 'r').catch((cause: unknown) => {
      throw new AdkError('not_found', 'payload.missing', `payload ${key} is not there`, { cause });
    });
    try {
      const { size } = await file.stat();
      if (size > maxBytes) throw new AdkError('invalid', 'payload.size', `payload ${key} has ${size} bytes`);
      return await file.readFile();
    } finally {
      await file.close();
    }
  }

  async #collectOld(): Promise<void> {
    if (Date.now() - this.#collectedAtMs < COLLECT_EVERY_MS) return;
    this.#collectedAtMs = Date.now();
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.directory)) await this.#removeIfOld(this.#fileOf(name));
  }

  async #removeIfOld(file: string): Promise<void> {
    try {
      if (Date.now() - (await stat(file)).mtimeMs > KEPT_MS) await rm(file);
    } catch {
      // Another process collected it first.
    }
  }

  #fileOf(name: string): string {
    return path.join(this.directory, name);
  }
}
