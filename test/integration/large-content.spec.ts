import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request as send, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { S3TestServer } from '@skein/testing';
import { Skein } from '../support/skein';

const MEGABYTE = 1024 * 1024;
const CONTENT_BYTES = 256 * MEGABYTE;
const RSS_BYTES = 200 * MEGABYTE;

const agent = `
import { LlmAgent, ScriptedLlm } from '@skein/adk';
export const rootAgent = new LlmAgent({ name: 'files', model: new ScriptedLlm({ responses: [] }) });
`;

let s3: S3TestServer;
let skein: Skein;
beforeAll(async () => {
  s3 = await S3TestServer.start();
  s3.contents.isForgetful = true;
  const { accessKey, secretKey, region } = s3.credentials;
  skein = await Skein.start({
    agents: { files: agent },
    env: {
      RUNNERS: '1',
      TOOL_WORKERS: '1',
      S3_ENDPOINT: s3.endpoint,
      S3_REGION: region,
      S3_ACCESS_KEY: accessKey,
      S3_SECRET_KEY: secretKey,
      S3_BUCKET: 'made-by-the-stack',
    },
  });
}, 60_000);
afterAll(async () => {
  await skein.stop();
  await s3.stop();
});

describe('content of 256 MB', () => {
  it('passes a gateway of less than 200 MB both ways, and is what was sent', async () => {
    const url = `${skein.url}/apps/files/users/ada/sessions/s/artifacts/large.bin/versions/0/content`;

    const saved = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = send(url, { method: 'PUT', agent: false }, resolve);
      pipeline(Readable.from(zeros(CONTENT_BYTES)), request).catch(reject);
    });
    const loaded = await new Promise<IncomingMessage>((resolve, reject) => {
      send(url, { agent: false }, resolve).on('error', reject).end();
    });
    const hash = createHash('sha256');
    let sizeBytes = 0;
    for await (const chunk of loaded as AsyncIterable<Buffer>) {
      hash.update(chunk);
      sizeBytes += chunk.length;
    }

    expect([saved.statusCode, loaded.statusCode, sizeBytes]).toEqual([200, 200, CONTENT_BYTES]);
    expect(loaded.headers.etag).toBe(`"${hash.digest('hex')}"`);
    expect(s3.contents.buckets.has('made-by-the-stack')).toBe(true);
    const [gateway] = skein.pidsOf('gateway');
    expect(peakOf(gateway)).toBeLessThan(RSS_BYTES);
  }, 120_000);
});

/** The most memory a process has had; on systems that do not tell, none. */
function peakOf(pid: number | undefined): number {
  if (process.platform !== 'linux') return 0;
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kilobytes === undefined) throw new Error(`no memory is told of process ${pid}`);
  return 1_024 * Number(kilobytes);
}

function* zeros(sizeBytes: number): Iterable<Buffer> {
  for (let sent = 0; sent < sizeBytes; sent += MEGABYTE) yield Buffer.alloc(MEGABYTE);
}
