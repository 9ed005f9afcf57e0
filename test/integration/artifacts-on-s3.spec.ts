import { randomUUID } from 'node:crypto';
import { ArtifactContents, S3ObjectStore, StoredArtifactService } from '@skein/artifact-store';
import { AdkError, type ArtifactVersion } from '@skein/contracts';
import { RemoteArtifactMetadata } from '@skein/session-client';
import { Metrics, silentLogger } from '@skein/platform';
import { artifactServiceContract, type S3Call, S3TestServer } from '@skein/testing';
import { OrphanCollection } from '../../apps/session-svc/src/sweeps/orphan-collection';
import { readInstallation } from '@skein/session-store';
import { ServiceMetrics } from '../../apps/session-svc/src/service-metrics';
import { type RunningService, type ServiceGround, startServiceGround } from './session-svc-harness';

const BUCKET = 'skein-test';
/** Much more than a save takes here between its object and its version, much less than session-svc lets itself be told. */
const GRACE_MS = 10_000;
const isPut = ({ method, name }: S3Call): boolean => method === 'PUT' && name !== '';

let ground: ServiceGround;
let service: RunningService;
let s3: S3TestServer;
let objects: S3ObjectStore;

beforeAll(async () => {
  ground = await startServiceGround();
  s3 = await S3TestServer.start();
  const { accessKey, secretKey, region } = s3.credentials;
  service = await ground.startService({
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: region,
    S3_ACCESS_KEY: accessKey,
    S3_SECRET_KEY: secretKey,
    S3_BUCKET: BUCKET,
  });
  objects = new S3ObjectStore(
    { endpoint: s3.endpoint, ...s3.credentials, bucket: BUCKET },
    { attempts: 5, firstDelayMs: 5, maxDelayMs: 20, idleMs: 2_000 },
  );
  // It is noted only while nothing lies there that no version refers to; the contract leaves much of that.
  await until(() => s3.contents.bucket(BUCKET).has('artifacts/skein-owner'));
}, 60_000);
afterAll(async () => {
  await service.stop();
  await s3.stop();
  await ground.stop();
});
beforeEach(() => {
  s3.fault = () => undefined;
  s3.contents.now = () => new Date();
});

const metadata = () => new RemoteArtifactMetadata(ground.rpc);
const aName = () => ({ appName: 'app', userId: 'ada', sessionId: randomUUID(), filename: 'a.txt' });

/** Keys of what is kept, but for the note of whose it is. */
function storedKeys(): string[] {
  return [...s3.contents.bucket(BUCKET).keys()].filter((name) => name !== 'artifacts/skein-owner');
}

describe('artifacts on S3', () => {
  artifactServiceContract('StoredArtifactService on Postgres and S3', async () => {
    await ground.database.pool.query('TRUNCATE adk_artifacts');
    return new StoredArtifactService(objects, metadata());
  });

  it('are kept in a bucket that session-svc made, and noted as its own', async () => {
    expect(s3.contents.buckets.has(BUCKET)).toBe(true);
    const noted = s3.contents.bucket(BUCKET).get('artifacts/skein-owner');
    expect(noted?.bytes.toString()).toBe(await readInstallation(ground.database.pool));
  });

  it('row 37: are saved once, while the store is busy and silent in between', async () => {
    const name = aName();
    let faults = 3;
    s3.fault = (call) => (isPut(call) && faults-- > 0 ? { status: 503, code: 'SlowDown' } : undefined);

    const version = await new StoredArtifactService(objects, metadata()).saveArtifact({
      ...name,
      artifact: { text: 'x' },
      saveKey: 'call-1',
    });

    expect(version).toBe(0);
    expect(await metadata().versions(name)).toEqual([0]);
  });

  it('row 37: have no version while the store is away, and the caller is told', async () => {
    const name = aName();
    const artifacts = new StoredArtifactService(objects, metadata());
    s3.fault = () => ({ status: 503, code: 'SlowDown' });

    await expect(artifacts.saveArtifact({ ...name, artifact: { text: 'x' } })).rejects.toMatchObject({
      code: 'object.unavailable',
    });

    s3.fault = () => undefined;
    expect(await metadata().versions(name)).toEqual([]);
    expect(await artifacts.loadArtifact(name)).toBeUndefined();
  });

  it('row 38: are not there without a version, and their bytes are collected; those of others stay', async () => {
    const [lost, kept] = [aName(), aName()];
    const artifacts = new StoredArtifactService(objects, metadata());
    await artifacts.saveArtifact({ ...kept, artifact: { text: 'kept' } });
    const { objectKey } = await keptVersion(kept);
    const before = storedKeys();
    makeOld();
    const dying = new StoredArtifactService(objects, new DyingMetadata(ground.rpc));

    await expect(dying.saveArtifact({ ...lost, artifact: { text: 'lost' } })).rejects.toThrow('killed');

    expect(await artifacts.loadArtifact(lost)).toBeUndefined();
    await collectOrphans();
    expect(storedKeys().filter((key) => !before.includes(key))).toEqual([]);
    expect(storedKeys()).toContain(`artifacts/${objectKey}`);
    expect(await artifacts.loadArtifact(kept)).toEqual({ text: 'kept' });
  });

  it('row 38: lose their bytes when only the name was deleted before a crash', async () => {
    const name = aName();
    const contents = new ArtifactContents(objects, metadata());
    makeOld();
    const request = { ...name, mimeType: 'text/csv', version: 0, limitBytes: 100 };
    await contents.save(request, [Buffer.from('x')]);
    const { objectKey } = await keptVersion(name);

    expect(await metadata().delete(name)).toEqual([objectKey]);

    await collectOrphans();
    expect(storedKeys()).not.toContain(`artifacts/${objectKey}`);
  });
});

/** What is stored from here on is past the grace. */
function makeOld(): void {
  s3.contents.now = () => new Date(Date.now() - 10 * GRACE_MS);
}

async function collectOrphans(): Promise<void> {
  const metrics = new ServiceMetrics(new Metrics());
  const { pool } = ground.database;
  const parts = { pool, objects, metrics, graceMs: GRACE_MS, logger: silentLogger };
  await new OrphanCollection(parts).collect();
}

/** Of a process that dies between the object and its version. */
class DyingMetadata extends RemoteArtifactMetadata {
  override async record(): Promise<never> {
    throw new Error('killed');
  }
}

async function keptVersion(name: ReturnType<typeof aName>): Promise<ArtifactVersion> {
  const found = await metadata().find(name);
  if (!found) throw new AdkError('not_found', 'test.nothing', 'nothing was saved');
  return found;
}

async function until(isSo: () => boolean): Promise<void> {
  for (const endsMs = Date.now() + 20_000; !isSo();) {
    if (Date.now() > endsMs) throw new Error('it did not come');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
