import { AdkError } from '@skein/contracts';
import { BaseLlm, type LlmRequest, type LlmResponse } from '@skein/engine';
import { askPatiently, DEFAULT_PATIENCE, type Patience } from '../patience/ask-patiently';
import { type ModelProvider, modelSettings, PROVIDERS } from '../registry/model-settings';
import { providerError } from './provider-error';

/** What a model over a network is made with; what is given here wins over what the services were started with. */
export interface ProviderLlmParams {
  readonly model: string;
  readonly apiKey?: string;
  readonly baseUrl?: string;
  /** A request without a word for so long is given up; two minutes when left out. */
  readonly idleTimeoutMs?: number;
  /** Requests of one call in all: overload and outages are asked again before the first piece; 3 when left out. */
  readonly maxAttempts?: number;
}

/** One request to a provider. */
export interface ProviderCall {
  readonly model: string;
  /** Empty where the provider's server needs none. */
  readonly apiKey: string;
  /** None: the provider's own address. */
  readonly baseUrl: string | undefined;
  readonly stream: boolean;
  readonly signal: AbortSignal;
}

/**
 * A model over a provider's own SDK: what all of them share is here, what a request and an answer look like is the
 * adapter's. `Piece` is the SDK's chunk; an answer that is not streamed is one of them.
 */
export abstract class ProviderLlm<Piece> extends BaseLlm {
  protected abstract readonly provider: ModelProvider;
  readonly #params: ProviderLlmParams;

  constructor(params: ProviderLlmParams) {
    super(params);
    this.#params = params;
  }

  /** Makes the request once, with the SDK's own retries off. */
  protected abstract ask(request: LlmRequest, call: ProviderCall): Promise<AsyncIterable<Piece>>;

  /** The answers in the pieces: with `stream` each as it may be shown, then the whole; without, the whole alone. */
  protected abstract read(pieces: AsyncIterable<Piece>, stream: boolean): AsyncIterable<LlmResponse>;

  override async *generateContentAsync(
    request: LlmRequest,
    stream = false,
    abortSignal?: AbortSignal,
  ): AsyncGenerator<LlmResponse, void> {
    abortSignal?.throwIfAborted();
    const call = { model: request.model || this.model, ...this.#connection(), stream };
    try {
      const pieces = askPatiently(
        (signal) => this.ask(request, { ...call, signal }),
        this.#patience,
        abortSignal,
      );
      yield* this.read(pieces, stream);
    } catch (thrown) {
      abortSignal?.throwIfAborted();
      throw providerError(thrown, call.apiKey);
    }
  }

  #connection(): Pick<ProviderCall, 'apiKey' | 'baseUrl'> {
    const { keys } = PROVIDERS[this.provider];
    const baseUrl = this.#params.baseUrl ?? modelSettings().baseUrls?.[this.provider];
    const apiKey = this.#params.apiKey ?? modelSettings().apiKeys?.[this.provider];
    if (!apiKey && this.isKeyNeeded(baseUrl)) {
      const message = `No API key for model "${this.model}": set ${keys.join(' or ')}.`;
      throw new AdkError('invalid', 'model.no-key', message);
    }
    return { apiKey: apiKey ?? '', baseUrl };
  }

  /** Servers of one's own often take no key. */
  protected isKeyNeeded(_baseUrl: string | undefined): boolean {
    return true;
  }

  get #patience(): Patience {
    const { idleTimeoutMs, maxAttempts } = this.#params;
    return {
      ...DEFAULT_PATIENCE,
      ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
      ...(maxAttempts === undefined ? {} : { maxAttempts }),
    };
  }
}

/** An answer that came in one piece. */
export async function* once<T>(value: T): AsyncGenerator<T, void> {
  yield value;
}
