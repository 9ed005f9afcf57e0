import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { artifactServiceContract, MemoryArtifactMetadata, S3TestServer } from '@skein/testing';
import { ArtifactContents } from './artifact-contents';
import { LocalObjectStore } from './local-object-store';
import { PART_LIMIT_BYTES } from './part-bytes';
import { S3ObjectStore } from './s3/s3-object-store';
import { StoredArtifactService } from './stored-artifact-service';

const session = { appName: 'app', userId: 'ada', sessionId: 's' };

const contractDirectories: string[] = [];
artifactServiceContract('StoredArtifactService', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'skein-artifacts-'));
  contractDirectories.push(directory);
  return new StoredArtifactService(new LocalObjectStore(directory), new MemoryArtifactMetadata());
});
afterAll(() => Promise.all(contractDirectories.map((directory) => rm(directory, { recursive: true }))));

describe('on S3', () => {
  let server: S3TestServer;
  beforeAll(async () => {
    server = await S3TestServer.start();
  });
  afterAll(() => server.stop());

  artifactServiceContract('StoredArtifactService', async () => {
    const { endpoint, credentials, contents } = server;
    const objects = new S3ObjectStore({
      endpoint,
      ...credentials,
      bucket: `bucket-${contents.buckets.size}`,
    });
    await objects.prepare();
    return new StoredArtifactService(objects, new MemoryArtifactMetadata());
  });
});

describe('StoredArtifactService', () => {
  let directory: string;
  let metadata: MemoryArtifactMetadata;
  let artifacts: StoredArtifactService;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'skein-artifacts-'));
    metadata = new MemoryArtifactMetadata();
    artifacts = new StoredArtifactService(new LocalObjectStore(directory), metadata);
  });
  afterEach(() => rm(directory, { recursive: true }));

  async function storedFiles(): Promise<string[]> {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }

  it('takes and gives as one part only what fits into memory beside others', async () => {
    const large = Buffer.alloc(PART_LIMIT_BYTES + 1);
    const contents = new ArtifactContents(new LocalObjectStore(directory), metadata);
    const name = { ...session, filename: 'large.bin' };
    const save = { ...name, mimeType: 'video/mp4', version: 'latest', limitBytes: large.length } as const;
    await contents.save(save, [large]);
    const part = { inlineData: { data: large.toString('base64'), mimeType: 'video/mp4' } };

    const tooLarge = { code: 'artifact.too-large', message: expect.stringContaining('content') as unknown };
    await expect(artifacts.loadArtifact(name)).rejects.toMatchObject(tooLarge);
    await expect(artifacts.saveArtifact({ ...name, artifact: part })).rejects.toMatchObject(tooLarge);
    await contents.save(save, [large.subarray(1)]);
    expect((await artifacts.loadArtifact(name))?.inlineData?.mimeType).toBe('video/mp4');
  });

  it('takes the same bytes under the same key for one save, and others for another', async () => {
    const name = { ...session, filename: 'a.txt' };
    const save = (text: string, saveKey: string): Promise<number> =>
      artifacts.saveArtifact({ ...name, artifact: { text }, saveKey });

    const versions = [await save('x', 'd-1/0'), await save('x', 'd-1/0'), await save('y', 'd-1/0')];

    expect([...versions, await save('x', 'd-1/1')]).toEqual([0, 0, 1, 2]);
    expect(await storedFiles()).toHaveLength(3);
    expect(await artifacts.loadArtifact({ ...name, version: 0 })).toEqual({ text: 'x' });
  });

  it('counts versions from 0 and gives back each as it was saved', async () => {
    const name = { ...session, filename: 'notes/today.txt' };

    expect(await artifacts.saveArtifact({ ...name, artifact: { text: 'eins \u00fc' } })).toBe(0);
    expect(await artifacts.saveArtifact({ ...name, artifact: { text: 'zwei' } })).toBe(1);

    expect(await artifacts.loadArtifact({ ...name, version: 0 })).toEqual({ text: 'eins \u00fc' });
    expect(await artifacts.loadArtifact(name)).toEqual({ text: 'zwei' });
    expect(await artifacts.loadArtifact({ ...name, version: 2 })).toBeUndefined();
    expect(await artifacts.listVersions(name)).toEqual([0, 1]);
    expect(await artifacts.listArtifactKeys(session)).toEqual(['notes/today.txt']);
  });

  it.each([
    ['+/+/', 'image/png'],
    ['-_-_', 'image/png'],
    ['AQI', 'text/plain'],
    ['/w==', 'text/plain; charset=utf-8'],
  ])('gives bytes back in standard base64: %s as %s', async (data, mimeType) => {
    const name = { ...session, filename: 'user:photo.png' };
    await artifacts.saveArtifact({ ...name, artifact: { inlineData: { data, mimeType } } });

    const loaded = await artifacts.loadArtifact(name);

    const standard = Buffer.from(data, 'base64').toString('base64');
    expect(loaded).toEqual({ inlineData: { data: standard, mimeType } });
  });

  it('stores under an opaque key, whole, with what it measured', async () => {
    await artifacts.saveArtifact({ ...session, filename: 'secret name.txt', artifact: { text: 'abc' } });

    const [file, ...others] = await storedFiles();
    expect(others).toEqual([]);
    expect(file).toMatch(/^[0-9a-f-]{36}$/);
    expect(metadata.rows[0]).toMatchObject({
      objectKey: file,
      sizeBytes: 3,
      sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      mimeType: 'text/plain; charset=utf-8',
    });
  });

  it('removes the bytes with the name, and is harmless the second time', async () => {
    const name = { ...session, filename: 'a' };
    await artifacts.saveArtifact({ ...name, artifact: { text: 'x' } });

    await artifacts.deleteArtifact(name);
    await artifacts.deleteArtifact(name);

    expect(await storedFiles()).toEqual([]);
    expect(await artifacts.loadArtifact(name)).toBeUndefined();
  });

  it('does not try every version of a name when the store is away', async () => {
    const name = { ...session, filename: 'a' };
    for (let n = 0; n < 30; n++) await artifacts.saveArtifact({ ...name, artifact: { text: `${n}` } });
    const drop = jest.spyOn(LocalObjectStore.prototype, 'drop').mockResolvedValue(false);

    await artifacts.deleteArtifact(name);

    expect(drop.mock.calls.length).toBeLessThanOrEqual(8);
    drop.mockRestore();
    expect(await artifacts.listVersions(name)).toEqual([]);
  });

  it('deletes a name also while its bytes cannot be removed', async () => {
    const name = { ...session, filename: 'a' };
    await artifacts.saveArtifact({ ...name, artifact: { text: 'x' } });
    const away = jest.spyOn(LocalObjectStore.prototype, 'delete').mockRejectedValue(new Error('away'));

    await artifacts.deleteArtifact(name);

    away.mockRestore();
    expect(await artifacts.loadArtifact(name)).toBeUndefined();
  });

  it.each([
    ['a name that leads out', { filename: '../x', artifact: { text: 'x' } }, 'artifact.name'],
    [
      'a part that holds something else',
      { filename: 'x', artifact: { functionCall: { name: 'f' } } },
      'artifact.part',
    ],
    [
      'bytes that pretend to be a link',
      {
        filename: 'x',
        artifact: { inlineData: { data: '', mimeType: 'application/vnd.skein.link+json; of=' } },
      },
      'artifact.part',
    ],
    [
      'inline data that is not base64',
      { filename: 'x', artifact: { inlineData: { data: '%', mimeType: 'a/b' } } },
      'artifact.part',
    ],
  ])('refuses %s and stores nothing', async (_, request, code) => {
    await expect(artifacts.saveArtifact({ ...session, ...request })).rejects.toMatchObject({ code });

    expect(await storedFiles()).toEqual([]);
  });

  it('says when the bytes of a version are gone', async () => {
    const name = { ...session, filename: 'a' };
    await artifacts.saveArtifact({ ...name, artifact: { text: 'x' } });
    await rm(directory, { recursive: true });

    await expect(artifacts.loadArtifact(name)).rejects.toMatchObject({ code: 'artifact.bytes-missing' });
    await artifacts.saveArtifact({ ...name, artifact: { text: 'y' } });
  });
});
