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
  const wait = new PatientWait(idleMs, signal);
  try {
    for (;;) {
      const next = await wait.for(chunks.next());
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
  } finally {
    wait.end();
  }
}

/**
 * One thing after the other, each in time. One timer and one listener serve a whole body: a signal for each chunk would keep the
 * chunk until all of the heap is collected, because Node refers to such listeners weakly.
 */
class PatientWait {
  #fail: (reason: Error) => void = () => undefined;
  readonly #timer: NodeJS.Timeout;
  // The reason is an error of ours.
  readonly #abort = (): void => this.#fail(this.signal.reason as AdkError);

  constructor(
    idleMs: number,
    private readonly signal: AbortSignal,
  ) {
    this.#timer = setTimeout(() => this.#fail(tooSlow()), idleMs);
    signal.addEventListener('abort', this.#abort);
  }

  for<T>(coming: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#fail = reject;
      this.#timer.refresh();
      coming.then(resolve, reject);
      if (this.signal.aborted) this.#abort();
    });
  }

  end(): void {
    clearTimeout(this.#timer);
    this.signal.removeEventListener('abort', this.#abort);
  }
}

function tooSlow(): AdkError {
  return new AdkError('deadline', 'request.timeout', 'The body did not come in time');
}
