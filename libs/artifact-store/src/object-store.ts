import { type Readable } from 'node:stream';
import { AdkError } from '@skein/contracts';

/** What was stored, measured on the way. */
export interface StoredObject {
  readonly sizeBytes: number;
  /** In hex. */
  readonly sha256: string;
  /** What its first bytes say it is, where they say so. */
  readonly sniffedType?: string;
}

export interface ObjectStat {
  readonly sizeBytes: number;
  /** On the clock of whoever keeps the bytes. */
  readonly modifiedAtMs: number;
}

export interface ListedObject extends ObjectStat {
  readonly key: string;
}

/** The bytes from `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Bytes as they come. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** What an address answers beside the bytes. */
export interface LinkOptions {
  readonly expiresInSeconds: number;
  readonly mimeType: string;
  readonly contentDisposition: string;
}

/**
 * Where bytes lie under keys we choose: opaque ones, never a name that came from outside. What is away, slow or broken off
 * is asked again; after that it rejects with `object.unavailable` or `object.timeout`, and with `object.refused` when
 * asking again would not help.
 */
export abstract class ObjectStore {
  /** Makes the place that is kept in, where it is missing, and proves that it can be used. One try. */
  abstract prepare(): Promise<void>;

  /**
   * Stores bytes under a new key, holding few of them at a time. They are durable, and there as a whole, once it settles;
   * when the source fails, nothing is.
   */
  abstract put(key: string, content: ByteSource): Promise<StoredObject>;

  /** The bytes of a key, or those of a range of it, or nothing. Whoever opens it reads it to its end or destroys it. */
  abstract open(key: string, range?: ByteRange): Promise<Readable | undefined>;

  /** What is known of a key, or nothing. */
  abstract stat(key: string): Promise<ObjectStat | undefined>;

  /** Harmless when it is not there. */
  abstract delete(key: string): Promise<void>;

  /** As `delete`, in one try of some seconds; answers whether it is gone. What is left is found by the look for orphans. */
  drop(key: string): Promise<boolean> {
    return isDone(this.delete(key));
  }

  /** Every key that is kept, in no order; what comes or goes meanwhile may be in it or not. */
  abstract list(): AsyncIterable<ListedObject>;

  /** Forgets what was begun before this time and never became an object; answers how many. */
  abstract dropUnfinished(beforeMs: number): Promise<number>;

  /** An address from which anybody can read the key until it expires; nothing where there is no such thing. */
  abstract link(key: string, options: LinkOptions): Promise<string | undefined>;

  /** All the bytes of a key at once, or nothing. */
  async get(key: string): Promise<Uint8Array | undefined> {
    const content = await this.open(key);
    if (!content) return undefined;
    const chunks: Uint8Array[] = [];
    // What both stores open gives buffers.
    for await (const chunk of content as AsyncIterable<Uint8Array>) chunks.push(chunk);
    return Buffer.concat(chunks);
  }
}

/** Whether it could be done, for work that is as well left. */
export function isDone(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

const KEY = /^[a-z0-9][a-z0-9-]{7,127}$/;

/** Whether a name could be of `put`: a store may hold others, that nobody here made. */
export function isObjectKey(name: string): boolean {
  return KEY.test(name);
}

/** Whatever leads into a folder or a bucket passes here. */
export function assertObjectKey(key: string): void {
  if (!isObjectKey(key)) throw new AdkError('invalid', 'object.key', 'the object key is malformed');
}
