import { AdkError } from '@skein/contracts';
import type { Request } from 'express';

/** Whoever is slower, on the whole, holds the place of another upload and means no good. */
const MIN_BYTES_PER_SECOND = 4_096;

/**
 * The body of a request as it comes. It stays open when the reader leaves early, so that the reason can still be answered.
 * Rejects with `client.left`, and with `request.timeout` once nothing has come for `idleMs` or, after that time, too little.
 */
export async function* bodyOf(request: Request, idleMs: number): AsyncIterable<Uint8Array> {
  // Without an encoding a request gives buffers.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>;
  const beganMs = performance.now();
  let receivedBytes = 0;
  try {
    for (;;) {
      const next = await inTime(chunks.next(), idleMs);
      if (next.done === true) return;
      receivedBytes += next.value.byteLength;
      const passedMs = performance.now() - beganMs;
      if (passedMs > idleMs && receivedBytes < (passedMs / 1_000) * MIN_BYTES_PER_SECOND) throw tooSlow();
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
    timer = setTimeout(() => reject(tooSlow()), idleMs);
  });
  try {
    return await Promise.race([coming, late]);
  } finally {
    clearTimeout(timer);
  }
}

function tooSlow(): AdkError {
  return new AdkError('deadline', 'request.timeout', 'The body did not come in time');
}
