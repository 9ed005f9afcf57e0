import { PassThrough } from 'node:stream';
import type { Response } from 'express';
import { SseStream } from './sse-stream';

describe('SseStream', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('pings every 15 s in a chunk of its own, until it ends', async () => {
    const { stream, chunks } = open();

    await stream.write('data: 1\n\n');
    jest.advanceTimersByTime(30_000);
    stream.end();
    jest.advanceTimersByTime(60_000);

    expect(chunks).toEqual(['data: 1\n\n', ': ping\n\n', ': ping\n\n']);
  });

  it('waits for a client that does not read, and no longer than it is there', async () => {
    const { stream, response, left } = open();
    response.pause();
    const frame = `data: ${'x'.repeat(100_000)}\n\n`;
    let isWritten = false;

    const written = stream.write(frame).then(() => (isWritten = true));
    await Promise.resolve();
    expect(isWritten).toBe(false);
    response.resume();
    await written;
    response.pause();
    const unread = stream.write(frame);
    left.abort();

    await expect(unread).rejects.toThrow('aborted');
  });

  it('writes nothing after its end', async () => {
    const { stream, chunks } = open();

    stream.end(1000);
    await stream.write('data: 1\n\n');
    stream.end();

    expect(chunks).toEqual(['retry: 1000\n\n']);
  });
});

function open() {
  const chunks: string[] = [];
  const response = new PassThrough();
  response.on('data', (chunk: Buffer) => chunks.push(chunk.toString('utf8')));
  const left = new AbortController();
  const express = { status: () => response, set: () => response, flushHeaders: () => undefined };
  // A response as far as a stream uses it: something written to, with heads.
  const stream = new SseStream(Object.assign(response, express) as unknown as Response, left.signal);
  return { stream, response, chunks, left };
}
