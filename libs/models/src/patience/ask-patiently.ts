import { setTimeout as delay } from 'node:timers/promises';

/** How long a model is waited for, and how often it is asked. */
export interface Patience {
  /** Requests in all, the first one included. */
  readonly maxAttempts: number;
  /** Before the second request; doubled before each further one, and spread. */
  readonly firstDelayMs: number;
  /** Without a word for so long, a request is given up: a connection may die without telling. */
  readonly idleTimeoutMs: number;
}

export const DEFAULT_PATIENCE: Patience = { maxAttempts: 3, firstDelayMs: 500, idleTimeoutMs: 120_000 };

/** Overload and outages pass; what is wrong with a request does not. */
const PASSING = new Set([408, 429, 500, 502, 503, 504, 529]);

/**
 * Pieces of a model's answer. A request that fails in a way that passes is made again, but only before its first piece:
 * what was shown cannot be taken back. One that falls silent is aborted.
 */
export async function* askPatiently<T>(
  ask: (signal: AbortSignal) => Promise<AsyncIterable<T>>,
  { maxAttempts, firstDelayMs, idleTimeoutMs }: Patience,
  abortSignal?: AbortSignal,
): AsyncGenerator<T, void> {
  for (let attempt = 1; ; attempt++) {
    const request = new AbortController();
    const signal = abortSignal ? AbortSignal.any([abortSignal, request.signal]) : request.signal;
    let hasBegun = false;
    try {
      for await (const piece of spoken(ask(signal), idleTimeoutMs)) {
        hasBegun = true;
        yield piece;
      }
      return;
    } catch (error) {
      abortSignal?.throwIfAborted();
      if (hasBegun || attempt >= maxAttempts || !isPassing(error)) throw error;
    } finally {
      request.abort();
    }
    const delayMs = firstDelayMs * 2 ** (attempt - 1) * (0.5 + Math.random());
    await delay(delayMs, undefined, abortSignal ? { signal: abortSignal } : {});
  }
}

/** The pieces of one request, each within its time. */
async function* spoken<T>(asked: Promise<AsyncIterable<T>>, idleTimeoutMs: number): AsyncGenerator<T, void> {
  const pieces = (await spokenWithin(asked, idleTimeoutMs))[Symbol.asyncIterator]();
  for (;;) {
    const piece = await spokenWithin(pieces.next(), idleTimeoutMs);
    if (piece.done === true) return;
    yield piece.value;
  }
}

class SilenceError extends Error {}

async function spokenWithin<T>(answer: Promise<T>, idleTimeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    const message = `The model sent nothing for ${idleTimeoutMs} ms.`;
    timer = setTimeout(() => reject(new SilenceError(message)), idleTimeoutMs);
  });
  try {
    return await Promise.race([answer, silence]);
  } finally {
    clearTimeout(timer);
    // Aborted after the silence, it fails, and nobody waits for it any more.
    answer.catch(() => undefined);
  }
}

/** A failure without a status never reached the provider, or its answer broke off. */
function isPassing(error: unknown): boolean {
  if (error instanceof SilenceError) return true;
  if (!(error instanceof Error)) return false;
  return 'status' in error ? PASSING.has(Number(error.status)) : error instanceof TypeError;
}
