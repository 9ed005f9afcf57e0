import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { AdkError, isTransient, retryTransient } from '@skein/contracts';
import { LocalObjectStore } from './local-object-store';
import { type ObjectStore } from './object-store';
import { S3ObjectStore } from './s3/s3-object-store';

/** The environment that says where objects are kept, by its own names. */
export interface ObjectStoreConfig {
  readonly DATA_DIR: string;
  readonly S3_ENDPOINT?: string | undefined;
  readonly S3_PUBLIC_ENDPOINT?: string | undefined;
  readonly S3_REGION: string;
  readonly S3_ACCESS_KEY?: string | undefined;
  readonly S3_SECRET_KEY?: string | undefined;
  readonly S3_BUCKET: string;
}

interface Warns {
  warn(fields: object, message: string): void;
}

const AT_START = { attempts: 4, firstDelayMs: 250, maxDelayMs: 1_000 };
const AGAIN_MS = 5_000;

/**
 * The object store of a process, with its bucket made. One that refuses ends the start: its keys are wrong. One that is away
 * does not, as only artifacts need it; it is prepared as soon as it comes.
 */
export async function openObjectStore(
  config: ObjectStoreConfig,
  logger: Warns,
  againMs = AGAIN_MS,
): Promise<ObjectStore> {
  const objects = objectStoreOf(config);
  try {
    await retryTransient(() => objects.prepare(), AT_START);
  } catch (error) {
    const where = config.S3_ENDPOINT ?? config.DATA_DIR;
    if (!isTransient(error)) throw unusable(where, error);
    logger.warn({ where, err: error }, 'the object store is away: artifacts cannot be used until it comes');
    void prepareLater(objects, logger, againMs);
  }
  return objects;
}

/** Whether the store is there and takes our keys: for `/ready`. Rejects when it is not. */
export async function canUse(objects: ObjectStore): Promise<boolean> {
  await objects.prepare();
  return true;
}

function objectStoreOf(config: ObjectStoreConfig): ObjectStore {
  const { S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey = '', S3_SECRET_KEY: secretKey = '' } = config;
  if (endpoint === undefined) return new LocalObjectStore(path.join(config.DATA_DIR, 'objects'));
  return new S3ObjectStore({
    endpoint,
    publicEndpoint: config.S3_PUBLIC_ENDPOINT,
    region: config.S3_REGION,
    accessKey,
    secretKey,
    bucket: config.S3_BUCKET,
  });
}

/** For as long as the process lives, without keeping it alive. */
async function prepareLater(objects: ObjectStore, logger: Warns, againMs: number): Promise<void> {
  for (;;) {
    await wait(againMs, undefined, { ref: false });
    try {
      await objects.prepare();
      return;
    } catch (error) {
      if (!isTransient(error)) logger.warn({ err: error }, 'the object store cannot be used');
    }
  }
}

function unusable(where: string, cause: unknown): AdkError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new AdkError(
    'internal',
    'object.unusable',
    `The object store at ${where} cannot be used: ${reason}`,
    {
      cause,
    },
  );
}
