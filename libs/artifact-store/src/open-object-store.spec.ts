import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { S3TestServer } from '@skein/testing';
import { LocalObjectStore } from './local-object-store';
import { openObjectStore } from './open-object-store';

const warned: string[] = [];
const logger = { warn: (_fields: object, message: string) => void warned.push(message) };

let directory: string;
let server: S3TestServer;
beforeEach(async () => {
  warned.length = 0;
  directory = await mkdtemp(path.join(tmpdir(), 'skein-open-'));
  server = await S3TestServer.start();
});
afterEach(async () => {
  await server.stop();
  await rm(directory, { recursive: true });
});

function s3Config(more: object = {}) {
  const { accessKey, secretKey, region } = server.credentials;
  return {
    DATA_DIR: directory,
    S3_ENDPOINT: server.endpoint,
    S3_REGION: region,
    S3_ACCESS_KEY: accessKey,
    S3_SECRET_KEY: secretKey,
    S3_BUCKET: 'made-at-boot',
    ...more,
  };
}

describe('openObjectStore', () => {
  it('keeps objects under DATA_DIR without S3_ENDPOINT', async () => {
    const objects = await openObjectStore(s3Config({ S3_ENDPOINT: undefined }), logger);
    await objects.put('some-object', [Buffer.from('x')]);

    expect(await new LocalObjectStore(path.join(directory, 'objects')).stat('some-object')).toBeDefined();
  });

  it('makes the bucket of S3_ENDPOINT', async () => {
    const objects = await openObjectStore(s3Config(), logger);
    await objects.put('some-object', [Buffer.from('x')]);

    expect([...server.contents.bucket('made-at-boot').keys()]).toEqual(['artifacts/some-object']);
  });

  it('ends the start when the keys are wrong, and tells where and why but no key', async () => {
    const opening = openObjectStore(s3Config({ S3_SECRET_KEY: 'wrong-secret' }), logger);

    await expect(opening).rejects.toMatchObject({
      code: 'object.unusable',
      message: expect.stringMatching(/127\.0\.0\.1.*refused/) as unknown,
    });
    await expect(opening).rejects.not.toThrow('wrong-secret');
  });

  it('row 37: goes on without a store that is away, and makes its bucket when it comes', async () => {
    const port = await aFreePort();
    const away = s3Config({ S3_ENDPOINT: `http://127.0.0.1:${port}` });

    await openObjectStore(away, logger, 20);

    expect(warned).toEqual(['the object store is away: artifacts cannot be used until it comes']);
    await server.stop();
    server = await S3TestServer.start(port);
    while (!server.contents.buckets.has('made-at-boot'))
      await new Promise((resolve) => setTimeout(resolve, 5));
  });
});

async function aFreePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const { port } = listener.address() as AddressInfo;
  await new Promise((resolve) => listener.close(resolve));
  return port;
}
