import { randomUUID } from 'node:crypto';
import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { AdkError, type ArtifactVersion, type RecordArtifact } from '@skein/contracts';
import { type ArtifactMetadata } from '@skein/engine';
import { ByteMeter } from './byte-meter';
import { type ByteRange, type ByteSource, type ObjectStore, type StoredObject } from './object-store';

/** A store that answers from a copy may not know yet what was written to another. */
const LOOKS = 4;
const LOOK_AGAIN_MS = 100;
const DROPS_AT_ONCE = 8;

/** What is to be recorded of bytes, once they are stored and measured. */
export type ToRecord = (stored: StoredObject) => Omit<RecordArtifact, 'objectKey' | keyof StoredObject>;

/**
 * Stores bytes and has them recorded, in this order: a crash in between leaves an object nobody refers to, never a version
 * without bytes. The object's key is new each time, so that nothing that was collected can come back under it.
 */
export async function storeVersion(
  objects: ObjectStore,
  metadata: ArtifactMetadata,
  content: ByteSource,
  toRecord: ToRecord,
): Promise<ArtifactVersion> {
  const objectKey = randomUUID();
  const stored = await objects.put(objectKey, content);
  try {
    const recorded = await metadata.record({ ...toRecord(stored), ...stored, objectKey });
    if (recorded.objectKey !== objectKey) await dropObjects(objects, [objectKey]);
    return recorded;
  } catch (error) {
    // What may have been recorded all the same has to keep its bytes.
    if (isDefinite(error)) await dropObjects(objects, [objectKey]);
    throw error;
  }
}

/** The bytes of a version, or a range of them, checked on their way against what was measured when they came. */
export async function openVersion(
  objects: ObjectStore,
  stored: ArtifactVersion,
  range?: ByteRange,
): Promise<Readable> {
  for (let look = 1; look <= LOOKS; look++) {
    const content = await objects.open(stored.objectKey, range);
    if (content && range) return content;
    // The one who reads it hears of an error.
    if (content) return pipeline(content, new DigestCheck(stored), () => undefined);
    if (look < LOOKS) await wait(LOOK_AGAIN_MS * look);
  }
  throw new AdkError(
    'unavailable',
    'artifact.bytes-missing',
    `The bytes of ${stored.filename}, version ${stored.version}, are not in the object store.`,
  );
}

/** Holds the last chunk back until all are known to be right: who gets an end got what was saved. */
class DigestCheck extends Transform {
  readonly #meter = new ByteMeter();
  #held: Buffer | undefined;

  constructor(private readonly stored: ArtifactVersion) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.#meter.add(chunk);
    if (this.#held) this.push(this.#held);
    this.#held = chunk;
    done();
  }

  override _flush(done: TransformCallback): void {
    const { filename, version, sha256 } = this.stored;
    if (this.#meter.result().sha256 === sha256) done(null, this.#held);
    else {
      const sentence = `The bytes of ${filename}, version ${version}, are not those that were saved.`;
      done(new AdkError('internal', 'artifact.bytes-damaged', sentence));
    }
  }
}

/**
 * Deletes objects nobody refers to, for somebody who waits: from the first that cannot be deleted on, the rest is left to
 * the look for orphans.
 */
export async function dropObjects(objects: ObjectStore, objectKeys: readonly string[]): Promise<void> {
  const left = [...objectKeys];
  const dropSome = async (): Promise<void> => {
    for (let key = left.pop(); key !== undefined; key = left.pop()) {
      if (!(await objects.drop(key))) left.length = 0;
    }
  };
  await Promise.all(Array.from({ length: DROPS_AT_ONCE }, dropSome));
}

function isDefinite(error: unknown): boolean {
  return AdkError.isInstance(error) && ['invalid', 'denied', 'not_found', 'conflict'].includes(error.kind);
}
