import { pipeline } from 'node:stream/promises';
import { AdkError } from '@skein/contracts';
import type { ArtifactContent } from '@skein/artifact-store';
import type { Response } from 'express';
import type { ContentRange } from './content-range';

export interface SendOptions {
  readonly range: ContentRange | 'none' | undefined;
  readonly isHead: boolean;
  /** How long the client may take nothing of it. */
  readonly stallMs: number;
}

/** Answers a version's bytes. What fails in the middle cuts the answer: its length tells that it is not whole. */
export async function sendContent(
  response: Response,
  content: ArtifactContent,
  { range, isHead, stallMs }: SendOptions,
): Promise<void> {
  const { sizeBytes } = content.version;
  if (range === 'none') {
    response.set('Content-Range', `bytes */${sizeBytes}`).status(416).end();
    return;
  }
  const { start, end } = range ?? { start: 0, end: sizeBytes - 1 };
  const opened = isHead ? undefined : await content.open(range);
  response.status(range ? 206 : 200).set('Content-Length', String(end + 1 - start));
  if (range) response.set('Content-Range', `bytes ${start}-${end}/${sizeBytes}`);
  if (!opened) {
    response.end();
    return;
  }
  response.setTimeout(stallMs, () => {
    // With nothing left to take it is us, or the object store, who is slow.
    if (response.writableLength > 0) response.destroy();
    else response.socket?.setTimeout(stallMs);
  });
  try {
    await pipeline(opened, response);
  } catch (error) {
    if (AdkError.isInstance(error)) throw error;
    throw new AdkError('cancelled', 'client.left', 'The client disconnected', { cause: error });
  }
}
