import { AdkError } from '@skein/contracts';
import type { Request } from 'express';

/** Whoever is slower, on the whole, holds the place of another upload. */
const MIN_BYTES_PER_SECOND = 65_536;
/** Far less than what nobody refers to is kept for. */
const MAX_UPLOAD_MS = 60 * 60 * 1_000;

export interface BodyPatience {
  /** How long nothing may come; after that time, so much of the body has to have come as its age asks for. */
  readonly idleMs: number;
  /** Ends it with its reason. */
  readonly signal: AbortSignal;
}

/**
 * The body of a request as it comes. It stays open when the reader leaves early, so that the reason can still be answered.
 * Rejects with `client.left`, with `request.timeout` for a body that is too slow or takes more than an hour, and with the
 * reason of the signal.
 */
export async function* bodyOf(request: Request, { idleMs, signal }: BodyPatience): AsyncIterable<Uint8Array> {
  // Without an encoding a request gives buffers.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>;
  const beganMs = performance.now();
  let receivedBytes = 0;
  try {
    for (;;) {
      const next = await inTime(chunks.next(), { idleMs, signal });
      if (next.done === true) return;
      receivedBytes += next.value.byteLength;
      const passedMs = performance.now() - beganMs;
      const isCrawling = passedMs > idleMs && receivedBytes < (passedMs / 1_000) * MIN_BYTES_PER_SECOND;
      if (isCrawling || passedMs > MAX_UPLOAD_MS) throw tooSlow();
      yield next.value;
    }
  } catch (error) {
    if (AdkError.isInstance(error)) throw error;
    throw new AdkError('cancelled', 'client.left', 'The client disconnected', { cause: error });
  }
}

async function inTime<T>(coming: Promise<T>, { idleMs, signal }: BodyPatience): Promise<T> {
  signal.throwIfAborted();
  const settled = new AbortController();
  const late = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => reject(tooSlow()), idleMs);
    // The reason is an error of ours.
    const end = (): void => reject(signal.reason as AdkError);
    signal.addEventListener('abort', end, { signal: settled.signal });
    settled.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });
  try {
    return await Promise.race([coming, late]);
  } finally {
    settled.abort();
  }
}

function tooSlow(): AdkError {
  return new AdkError('deadline', 'request.timeout', 'The body did not come in time');
}
