import { createHash, randomUUID } from 'node:crypto';

export interface S3Object {
  /** Nothing of an object that is forgotten. */
  readonly bytes: Buffer;
  readonly sizeBytes: number;
  readonly etag: string;
  readonly modified: Date;
}

interface Upload {
  readonly bucket: string;
  readonly name: string;
  readonly initiated: Date;
  readonly parts: Map<number, S3Object>;
}

const MIN_PART_BYTES = 5 * 1024 * 1024;

/** What is refused, by S3's own name for it. */
export class S3Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code);
  }
}

/** What an S3 server keeps: buckets of objects, and uploads that are not complete. */
export class S3Contents {
  readonly buckets = new Map<string, Map<string, S3Object>>();
  readonly uploads = new Map<string, Upload>();
  /** Takes bytes without keeping them, and gives zeros in their place: for content that is larger than a test's memory. */
  isForgetful = false;
  /** Set back, what is stored now is as old as a test wants it. */
  now: () => Date = () => new Date();

  bucket(name: string): Map<string, S3Object> {
    const found = this.buckets.get(name);
    if (!found) throw new S3Refusal(404, 'NoSuchBucket');
    return found;
  }

  makeBucket(name: string): void {
    if (this.buckets.has(name)) throw new S3Refusal(409, 'BucketAlreadyOwnedByYou');
    this.buckets.set(name, new Map());
  }

  object(bucket: string, name: string): S3Object {
    const found = this.bucket(bucket).get(name);
    if (!found) throw new S3Refusal(404, 'NoSuchKey');
    return found;
  }

  put(bucket: string, name: string, bytes: Buffer): S3Object {
    const stored = this.#objectOf(bytes);
    this.bucket(bucket).set(name, stored);
    return stored;
  }

  begin(bucket: string, name: string): string {
    this.bucket(bucket);
    const id = randomUUID();
    this.uploads.set(id, { bucket, name, initiated: this.now(), parts: new Map() });
    return id;
  }

  putPart(id: string, part: number, bytes: Buffer): S3Object {
    const stored = this.#objectOf(bytes);
    this.#upload(id).parts.set(part, stored);
    return stored;
  }

  /** `parts` are numbers and tags, in the order they are to stand in. */
  complete(id: string, parts: readonly { readonly part: number; readonly etag: string }[]): S3Object {
    const { bucket, name, parts: sent } = this.#upload(id);
    const stored = parts.map(({ part, etag }, index) => {
      const found = sent.get(part);
      if (found?.etag !== etag) throw new S3Refusal(400, 'InvalidPart');
      if (part <= (parts[index - 1]?.part ?? 0)) throw new S3Refusal(400, 'InvalidPartOrder');
      const isLast = index === parts.length - 1;
      if (!isLast && found.sizeBytes < MIN_PART_BYTES) throw new S3Refusal(400, 'EntityTooSmall');
      return found;
    });
    this.uploads.delete(id);
    const bytes = Buffer.concat(stored.map((part) => part.bytes));
    const sizeBytes = stored.reduce((sum, part) => sum + part.sizeBytes, 0);
    const whole = { ...this.#objectOf(bytes), sizeBytes };
    this.bucket(bucket).set(name, whole);
    return whole;
  }

  abort(id: string): void {
    this.#upload(id);
    this.uploads.delete(id);
  }

  #upload(id: string): Upload {
    const found = this.uploads.get(id);
    if (!found) throw new S3Refusal(404, 'NoSuchUpload');
    return found;
  }

  #objectOf(bytes: Buffer): S3Object {
    const etag = createHash('md5').update(bytes).digest('hex');
    const kept = this.isForgetful ? Buffer.of() : bytes;
    return { bytes: kept, sizeBytes: bytes.length, etag, modified: this.now() };
  }
}
