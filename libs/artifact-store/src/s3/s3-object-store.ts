import { retryTransient, type RetryOptions } from '@skein/contracts';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import type * as minio from 'minio';
import { type BucketItem, type Client } from 'minio';
import { ByteMeter } from '../byte-meter';
import {
  assertObjectKey,
  type ByteRange,
  type ByteSource,
  isDone,
  isObjectKey,
  type LinkOptions,
  type ListedObject,
  type ObjectStat,
  ObjectStore,
  type StoredObject,
} from '../object-store';
import { PartedUpload } from './parted-upload';
import { ResumedRead } from './resumed-read';
import { asObjectError, codeOf, isBucketMissing, isMissing } from './s3-error';
import { s3Transport } from './s3-transport';

export interface S3Settings {
  /** As `http://minio:9000`. */
  readonly endpoint: string;
  /** The same server as clients reach it; without it there are no links. */
  readonly publicEndpoint?: string | undefined;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly bucket: string;
  /** Objects asked for at a time, at most 1,000. */
  readonly listPageSize?: number;
}

/** How tries are made, and what one may cost. */
export interface S3Patience extends RetryOptions {
  /** How long the server may say nothing in the middle of a request. */
  readonly idleMs: number;
}

const PATIENCE: S3Patience = {
  attempts: 5,
  firstDelayMs: 100,
  maxDelayMs: 2_000,
  idleMs: 10_000,
  // A connection that was lost without a word costs one silence; the next try has another connection.
  withinMs: 15_000,
};
/** How long something may be silent that is as well left to the look for orphans. */
const HURRY_MS = 2_000;
/** Beside it there may be other things of ours in the bucket. */
const PREFIX = 'artifacts/';
const LIST_PAGE_SIZE = 1_000;
const BUCKET_IS_THERE = new Set(['BucketAlreadyOwnedByYou', 'BucketAlreadyExists']);

/** Objects of one bucket of MinIO, or of any other server that speaks S3. */
export class S3ObjectStore extends ObjectStore {
  readonly #client: Client;
  readonly #hurriedClient: Client;
  readonly #linkClient: Client | undefined;
  readonly #bucket: string;

  constructor(
    private readonly settings: S3Settings,
    private readonly patience: S3Patience = PATIENCE,
  ) {
    super();
    const { endpoint, publicEndpoint, bucket } = settings;
    this.#client = clientOf(settings, endpoint, patience.idleMs);
    this.#hurriedClient = clientOf(settings, endpoint, Math.min(patience.idleMs, HURRY_MS));
    this.#linkClient =
      publicEndpoint === undefined ? undefined : clientOf(settings, publicEndpoint, patience.idleMs);
    this.#bucket = bucket;
  }

  override async prepare(): Promise<void> {
    try {
      if (!(await this.#isThere())) await this.#make();
    } catch (error) {
      throw asObjectError(error);
    }
  }

  override async put(key: string, content: ByteSource): Promise<StoredObject> {
    const meter = new ByteMeter();
    const upload = new PartedUpload({
      client: this.#client,
      hurriedClient: this.#hurriedClient,
      bucket: this.#bucket,
      name: nameOf(key),
      ask: (work) => this.#ask(work),
    });
    try {
      for await (const chunk of content) {
        meter.add(chunk);
        await upload.write(chunk);
      }
      await upload.end();
      return meter.result();
    } catch (error) {
      await upload.abort();
      throw error;
    }
  }

  override async open(key: string, range?: ByteRange): Promise<Readable | undefined> {
    const name = nameOf(key);
    const { start = 0, end } = range ?? {};
    // To the client, 0 is all that there is.
    const sizeBytes = end === undefined ? 0 : end + 1 - start;
    const openAt = (offset: number): Promise<Readable | undefined> =>
      this.#unlessMissing(() =>
        this.#client.getPartialObject(
          this.#bucket,
          name,
          start + offset,
          sizeBytes === 0 ? 0 : sizeBytes - offset,
        ),
      );
    const first = await openAt(0);
    if (!first) return undefined;
    return Readable.from(new ResumedRead(first, { openAt, sizeBytes }, this.patience), { objectMode: false });
  }

  override async stat(key: string): Promise<ObjectStat | undefined> {
    const name = nameOf(key);
    const found = await this.#unlessMissing(() => this.#client.statObject(this.#bucket, name));
    return found && { sizeBytes: found.size, modifiedAtMs: found.lastModified.getTime() };
  }

  override async delete(key: string): Promise<void> {
    const name = nameOf(key);
    await this.#unlessMissing(() => this.#client.removeObject(this.#bucket, name));
  }

  override async drop(key: string): Promise<boolean> {
    return isDone(this.#hurriedClient.removeObject(this.#bucket, nameOf(key)));
  }

  override async *list(): AsyncIterable<ListedObject> {
    const { listPageSize = LIST_PAGE_SIZE } = this.settings;
    let after = '';
    for (let isMore = true; isMore;) {
      const token = after;
      const page = await this.#ask(() =>
        this.#client.listObjectsV2Query(this.#bucket, PREFIX, token, '', listPageSize, ''),
      );
      yield* page.objects.flatMap(toListed);
      // A page that says there is more, but not from where, would be asked for for ever.
      isMore = page.isTruncated && page.nextContinuationToken !== '';
      after = page.nextContinuationToken;
    }
  }

  override async dropUnfinished(beforeMs: number): Promise<number> {
    let dropped = 0;
    let [keyMarker, uploadIdMarker] = ['', ''];
    for (let isMore = true; isMore;) {
      const [key, id] = [keyMarker, uploadIdMarker];
      const page = await this.#ask(() =>
        // No key has a slash behind the prefix; some servers take an empty delimiter for one that is everywhere.
        this.#client.listIncompleteUploadsQuery(this.#bucket, PREFIX, key, id, '/'),
      );
      for (const upload of page.uploads) {
        if (upload.initiated.getTime() >= beforeMs) continue;
        await this.#abandon(upload.key, upload.uploadId);
        dropped += 1;
      }
      isMore = page.isTruncated && page.nextKeyMarker !== '';
      [keyMarker, uploadIdMarker] = [page.nextKeyMarker, page.nextUploadIdMarker];
    }
    return dropped;
  }

  override async link(key: string, options: LinkOptions): Promise<string | undefined> {
    const name = nameOf(key);
    return this.#linkClient?.presignedGetObject(this.#bucket, name, options.expiresInSeconds, {
      'response-content-type': options.mimeType,
      'response-content-disposition': options.contentDisposition,
    });
  }

  #isThere(): Promise<boolean> {
    return this.#client.bucketExists(this.#bucket);
  }

  /** Servers differ in what they say of a bucket that somebody made meanwhile; whether it is ours is asked then. */
  async #make(): Promise<void> {
    try {
      await this.#client.makeBucket(this.#bucket, this.settings.region);
    } catch (error) {
      if (!BUCKET_IS_THERE.has(codeOf(error)) || !(await this.#isThere())) throw error;
    }
  }

  /** Somebody may have completed or dropped it meanwhile. */
  async #abandon(name: string, uploadId: string): Promise<void> {
    try {
      await this.#ask(() => this.#client.abortMultipartUpload(this.#bucket, name, uploadId));
    } catch (error) {
      if (codeOf(asObjectError(error).cause) !== 'NoSuchUpload') throw error;
    }
  }

  async #unlessMissing<T>(work: () => Promise<T>): Promise<T | undefined> {
    return this.#ask(() =>
      work().catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw error;
      }),
    );
  }

  /** Somebody may have taken the bucket away: it is made again, and asked. */
  #ask<T>(work: () => Promise<T>): Promise<T> {
    return retryTransient(
      () =>
        work().catch(async (error: unknown) => {
          if (isBucketMissing(error)) await this.prepare();
          throw asObjectError(error);
        }),
      this.patience,
    );
  }
}

/** With the first store, not with this file: it is the heaviest of what a service loads that keeps its objects on a disk. */
function loadMinio(): typeof minio {
  return createRequire(__filename)('minio') as typeof minio;
}

function clientOf({ region, accessKey, secretKey }: S3Settings, endpoint: string, idleMs: number): Client {
  const { protocol, hostname, port } = new URL(endpoint);
  const isTls = protocol === 'https:';
  const { Client: S3Client } = loadMinio();
  return new S3Client({
    endPoint: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isTls ? 443 : 80) : Number(port),
    useSSL: isTls,
    region,
    accessKey,
    secretKey,
    // Again by us alone: its own tries would send a stream twice and write to the console.
    retryOptions: { disableRetry: true },
    ...s3Transport(isTls, idleMs),
  });
}

function nameOf(key: string): string {
  assertObjectKey(key);
  return PREFIX + key;
}

function toListed(item: BucketItem): ListedObject[] {
  if (item.name === undefined) return [];
  const key = item.name.slice(PREFIX.length);
  if (!isObjectKey(key)) return [];
  return [{ key, sizeBytes: item.size, modifiedAtMs: item.lastModified.getTime() }];
}
