import { ProviderError } from '../failure/provider-error';
import { ModelTimeout, type RetryPolicy } from './retry-policy';
import { unboundedFetch } from './unbounded-fetch';

/** One request of a call: what it is made with, and the watch over its silence. */
export class Attempt {
  /** Aborted when the call is, when the provider falls silent, and once the request is done with. */
  readonly signal: AbortSignal;
  /** The head of the response, for what an SDK's error does not tell of it. */
  response: Pick<Response, 'status' | 'headers'> | undefined;
  readonly #own = new AbortController();
  #waiting: NodeJS.Timeout | undefined;
  #hasBegun = false;

  constructor(
    callSignal: AbortSignal,
    private readonly policy: Pick<RetryPolicy, 'connectTimeoutMs' | 'idleTimeoutMs'>,
    /** Called when the provider begins to answer; its refusal is no answer. */
    private readonly onAccepted: () => void = () => undefined,
  ) {
    this.signal = AbortSignal.any([callSignal, this.#own.signal]);
  }

  /** `fetch` for the provider's SDK: each byte shows that somebody is there, also where the SDK makes no piece of it. */
  readonly fetch: typeof fetch = async (input, init) => {
    // A provider answers itself: who follows it elsewhere takes the key and the conversation there.
    const response = await unboundedFetch(input, { ...init, redirect: 'manual' });
    if (response.status >= 300 && response.status < 400) throw redirected(response);
    this.response = response;
    if (response.ok) this.onAccepted();
    this.#heard();
    if (!response.body) return response;
    const heard = new TransformStream<Uint8Array, Uint8Array>({
      transform: (bytes, controller) => {
        this.#heard();
        controller.enqueue(bytes);
      },
    });
    return new Response(response.body.pipeThrough(heard), response);
  };

  /**
   * The pieces of the answer; rejects with a `ModelTimeout` when none comes in time. An answer that is not streamed is silent
   * for as long as the model thinks, so that only the call's own end bounds it.
   */
  async *listen<T>(ask: () => Promise<AsyncIterable<T>>, isStreamed: boolean): AsyncGenerator<T, void> {
    const { connectTimeoutMs, idleTimeoutMs } = this.policy;
    const within = <U>(answer: Promise<U>, limitMs: number, reason: 'connect' | 'idle'): Promise<U> =>
      isStreamed ? this.#within(answer, limitMs, reason) : unlessAborted(answer, this.signal);
    const pieces = (await within(ask(), connectTimeoutMs, 'connect'))[Symbol.asyncIterator]();
    this.#hasBegun = true;
    this.onAccepted();
    for (;;) {
      const piece = await within(pieces.next(), idleTimeoutMs, 'idle');
      if (piece.done === true) return;
      yield piece.value;
    }
  }

  end(): void {
    this.#own.abort();
  }

  #heard(): void {
    if (this.#waiting === undefined) return;
    if (!this.#hasBegun) this.#watch(this.policy.idleTimeoutMs, 'idle');
    this.#hasBegun = true;
    this.#waiting.refresh();
  }

  /** Only what is waited for can be late: while whoever asked is busy, the provider may be silent. */
  async #within<T>(answer: Promise<T>, limitMs: number, reason: 'connect' | 'idle'): Promise<T> {
    this.#watch(limitMs, reason);
    try {
      return await unlessAborted(answer, this.signal);
    } finally {
      clearTimeout(this.#waiting);
      this.#waiting = undefined;
    }
  }

  #watch(limitMs: number, reason: 'connect' | 'idle'): void {
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => this.#own.abort(new ModelTimeout(reason, limitMs)), limitMs);
  }
}

function redirected({ status, headers }: Response): ProviderError {
  const location = headers.get('location') ?? '';
  const base = 'http://an-address-without-a-host';
  const where = URL.canParse(location, base) ? new URL(location, base).host : 'an address that is none';
  const message = `The provider sends requests on to another address (${status}, ${where}), which is not followed: set its base URL to one that answers.`;
  return new ProviderError('ClientError', 'redirected', message, status);
}

/** An SDK may not listen to its signal; whoever waits for it does not wait on. */
async function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  // Aborted, it fails, and nobody waits for it any more.
  answer.catch(() => undefined);
  signal.throwIfAborted();
  let leave = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    // Whoever aborts gives the reason, and it is thrown as it was given.
    leave = () => reject(signal.reason as Error);
    signal.addEventListener('abort', leave, { once: true });
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
