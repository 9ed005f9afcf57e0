import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request as send } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Figures, type Measured, round } from '../report';
import { type BenchStack, measureOnStack } from '../with-stack';

const MEGABYTE = 1024 * 1024;
const CONTENT_MEGABYTES = 1_024;
const ON_DISK = { S3_ENDPOINT: undefined, S3_PUBLIC_ENDPOINT: undefined };

/**
 * One artifact of 1 GB in and out through the gateway, to disk and to the S3 server that S3_ENDPOINT names: how fast, and
 * the most memory that the gateway had. Reads /proc.
 */
export async function measureArtifacts(): Promise<Measured> {
  // First what may be missing.
  const s3 = await measureOnStack({}, measureS3);
  const disk = await measureOnStack(ON_DISK, (stack) => measureContent(stack, 'disk'));
  return { ...disk, figures: { ...disk.figures, ...s3.figures } };
}

async function measureS3(stack: BenchStack): Promise<Figures> {
  if (!stack.s3Endpoint) throw new Error('S3_ENDPOINT and its keys have to name an S3 server');
  return measureContent(stack, 's3');
}

async function measureContent({ url, pidOf }: BenchStack, where: string): Promise<Figures> {
  const content = `${url}/apps/bench/users/user/sessions/s/artifacts/large.bin/versions/0/content`;
  const block = randomBytes(MEGABYTE);
  const idle = megabytesOf(pidOf('gateway'), 'VmRSS');

  const begun = performance.now();
  const saved = await put(content, block);
  const stored = performance.now();
  const loaded = await get(content);
  const read = performance.now();

  const sha256 = createHash('sha256');
  for (let n = 0; n < CONTENT_MEGABYTES; n++) sha256.update(block);
  const expected = sha256.digest('hex');
  if (saved !== 200 || loaded !== expected)
    throw new Error(`what came back is not what was sent: ${saved} ${loaded}`);
  return {
    [`idleGatewayMegabytes ${where}`]: idle,
    [`peakGatewayMegabytes ${where}`]: megabytesOf(pidOf('gateway'), 'VmHWM'),
    [`putMegabytesPerSecond ${where}`]: round((CONTENT_MEGABYTES / (stored - begun)) * 1_000),
    [`getMegabytesPerSecond ${where}`]: round((CONTENT_MEGABYTES / (read - stored)) * 1_000),
  };
}

function put(url: string, block: Buffer): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = send(url, { method: 'PUT', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    const blocks = Array.from({ length: CONTENT_MEGABYTES }, () => block);
    pipeline(Readable.from(blocks), request).catch(reject);
  });
}

/** The digest of what is read. */
async function get(url: string): Promise<string> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    send(url, { agent: false }, (answer) => resolve(answer))
      .on('error', reject)
      .end();
  });
  const sha256 = createHash('sha256');
  for await (const chunk of response as AsyncIterable<Buffer>) sha256.update(chunk);
  return sha256.digest('hex');
}

function megabytesOf(pid: number, what: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return round(Number(new RegExp(`^${what}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024);
}
