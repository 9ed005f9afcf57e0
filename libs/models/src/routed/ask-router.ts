import { AdkError, type ErrorKind } from '@skein/contracts';
import { asError } from '@skein/engine';

/** As long as a streamed answer may take to begin: a router may ask a model. */
const LIMIT_MS = 120_000;

/** What a router gave. Throws `model.no-route` when it threw, or gave nothing in time, and the reason of an abort. */
export async function askRouter(
  name: string,
  ask: () => unknown,
  abortSignal: AbortSignal | undefined,
): Promise<unknown> {
  abortSignal?.throwIfAborted();
  let end = (): void => undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    const late = noRoute(`The router of "${name}" chose no model within ${LIMIT_MS / 1000} s.`, 'deadline');
    const timer = setTimeout(() => reject(late), LIMIT_MS);
    // An AbortSignal's reason is what its owner aborted it with: always an Error here.
    const abort = (): void => reject(abortSignal?.reason as Error);
    abortSignal?.addEventListener('abort', abort, { once: true });
    end = () => {
      clearTimeout(timer);
      abortSignal?.removeEventListener('abort', abort);
    };
  });
  try {
    return await Promise.race([asked(ask), ended]);
  } catch (thrown) {
    abortSignal?.throwIfAborted();
    if (AdkError.isInstance(thrown)) throw thrown;
    const { name: kind, message } = asError(thrown);
    throw noRoute(`The router of "${name}" threw ${kind}: ${message}`, 'internal', thrown);
  } finally {
    end();
  }
}

async function asked(ask: () => unknown): Promise<unknown> {
  return ask();
}

export function noRoute(message: string, kind: ErrorKind = 'invalid', cause?: unknown): AdkError {
  return new AdkError(kind, 'model.no-route', message, cause === undefined ? undefined : { cause });
}
