import { PassThrough } from 'node:stream';
import type { Response } from 'express';
import type { SseOptions } from '../src/run/sse-stream';

export const sseOptions: SseOptions = {
  heartbeatMs: 15_000,
  stallMs: 30_000,
  onSlowClient: () => undefined,
};

export interface FakeResponse {
  readonly response: Response;
  /** The client's side: paused, it does not read. */
  readonly client: PassThrough;
  /** What was written, each write for itself. */
  readonly chunks: string[];
  /** The client closes its connection. */
  leave(): void;
}

/** A response as far as the gateway's streams use one: something written to, with heads. */
export function fakeResponse(): FakeResponse {
  const chunks: string[] = [];
  const stream = new PassThrough();
  stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString('utf8')));
  const heads = {
    locals: {},
    status: () => stream,
    set: () => stream,
    setHeader: () => stream,
    flushHeaders: () => undefined,
  };
  // As much of a Response as is used.
  const response = Object.assign(stream, heads) as unknown as Response;
  return { response, client: stream, chunks, leave: () => stream.destroy() };
}
