import { createHash } from 'node:crypto';
import { request as send, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { S3ObjectStore } from '@skein/artifact-store';
import { S3TestServer } from '@skein/testing';
import { type RunningGateway, startGateway } from '../../test/running-gateway';
import { ContentLimits } from './content-limits';

const MEGABYTE = 1024 * 1024;
const CONTENT_BYTES = 256 * MEGABYTE;
/** Of gateway, object store and client together, which are all in this process. */
const GROWTH_BYTES = 128 * MEGABYTE;

describe('content larger than memory', () => {
  let s3: S3TestServer;
  let gateway: RunningGateway;
  beforeAll(async () => {
    s3 = await S3TestServer.start();
    s3.contents.isForgetful = true;
    const objects = new S3ObjectStore({ endpoint: s3.endpoint, ...s3.credentials, bucket: 'large' });
    await objects.prepare();
    gateway = await startGateway(undefined, {
      objects,
      contentLimits: new ContentLimits(CONTENT_BYTES, 30_000),
    });
  });
  afterAll(async () => {
    await gateway.stop();
    await s3.stop();
  });

  it('passes both ways without being held', async () => {
    const path = '/apps/quickstart/users/user/sessions/s/artifacts/large.bin/versions/0/content';
    const peak = watchMemory();

    const saved = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = send(`${gateway.url}${path}`, { method: 'PUT', agent: false }, resolve);
      pipeline(Readable.from(zeros(CONTENT_BYTES)), request).catch(reject);
    });
    const loaded = await new Promise<IncomingMessage>((resolve, reject) => {
      send(`${gateway.url}${path}`, { agent: false }, resolve).on('error', reject).end();
    });
    const hash = createHash('sha256');
    let sizeBytes = 0;
    for await (const chunk of loaded as AsyncIterable<Buffer>) {
      hash.update(chunk);
      sizeBytes += chunk.length;
    }

    expect([saved.statusCode, loaded.statusCode, sizeBytes]).toEqual([200, 200, CONTENT_BYTES]);
    expect(loaded.headers.etag).toBe(`"${hash.digest('hex')}"`);
    expect(peak()).toBeLessThan(GROWTH_BYTES);
  }, 120_000);
});

function* zeros(sizeBytes: number): Iterable<Buffer> {
  for (let sent = 0; sent < sizeBytes; sent += MEGABYTE) yield Buffer.alloc(MEGABYTE);
}

/** The most memory of this process beyond that of now, so far. */
function watchMemory(): () => number {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
  return () => {
    clearInterval(timer);
    return most - before;
  };
}
