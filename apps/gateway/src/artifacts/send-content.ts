import { pipeline } from 'node:stream/promises';
import type { ArtifactContent } from '@skein/artifact-store';
import { AdkError } from '@skein/contracts';
import type { Response } from 'express';
import type { ContentRange } from './content-range';

export interface SendOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly range: ContentRange | 'none' | undefined;
  readonly isHead: boolean;
  /** How long the client may take nothing of it. */
  readonly stallMs: number;
  /** Cuts it. */
  readonly signal: AbortSignal;
}

/**
 * Answers a version's bytes. What fails before the first is an answer of its own; what fails in the middle cuts this one:
 * its length tells that it is not whole.
 */
export async function sendContent(
  response: Response,
  content: ArtifactContent,
  { headers, range, isHead, stallMs, signal }: SendOptions,
): Promise<void> {
  const { sizeBytes } = content.version;
  if (range === 'none') {
    response.set('Content-Range', `bytes */${sizeBytes}`);
    throw new AdkError('invalid', 'artifact.range', `There are ${sizeBytes} bytes, and none in this range.`);
  }
  const { start, end } = range ?? { start: 0, end: sizeBytes - 1 };
  const opened = isHead ? undefined : await content.open(range);
  // Not by Express, which would add a charset to the type.
  response.setHeaders(new Map(Object.entries(headers)));
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
    await pipeline(opened, response, { signal });
  } catch (error) {
    if (AdkError.isInstance(error)) throw error;
    throw new AdkError('cancelled', 'client.left', 'The client disconnected', { cause: error });
  }
}
