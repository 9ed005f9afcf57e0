import { AdkError } from '@skein/contracts';
import type { Request } from 'express';

/**
 * The body of a request as it comes. It stays open when the reader leaves early, so that the reason can still be answered;
 * rejects with `client.left` and, once nothing has come for `idleMs`, with `request.timeout`.
 */
export async function* bodyOf(request: Request, idleMs: number): AsyncIterable<Uint8Array> {
  // Without an encoding a request gives buffers.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>;
  try {
    for (;;) {
      const next = await inTime(chunks.next(), idleMs);
      if (next.done === true) return;
      yield next.value;
    }
  } catch (error) {
    if (AdkError.isInstance(error)) throw error;
    throw new AdkError('cancelled', 'client.left', 'The client disconnected', { cause: error });
  }
}

async function inTime<T>(coming: Promise<T>, idleMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new AdkError('deadline', 'request.timeout', `Nothing of the body came for ${idleMs} ms`));
    }, idleMs);
  });
  try {
    return await Promise.race([coming, late]);
  } finally {
    clearTimeout(timer);
  }
}
