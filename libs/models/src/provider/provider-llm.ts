import { BaseLlm, type LlmRequest, type LlmResponse } from '@skein/engine';
import { askWithRetries } from '../retry/ask-with-retries';
import { accountOf, type Lane } from '../limiter/rate-limiter';
import { type Attempt } from '../retry/attempt';
import { checkedRetryPolicy } from '../retry/checked-retry-policy';
import { type RetryPolicy } from '../retry/retry-policy';
import { badSetting } from '../registry/bad-setting';
import { checkModelName, connectionOf, type KeyUse } from '../registry/connection';
import { type ModelProvider, modelSettings, wayOf } from '../registry/model-settings';
import { AnswerBody } from '../reading/answer-body';
import { providerError } from '../failure/provider-error';
import { refusal } from '../failure/refusal';
import { askQuietly } from '../failure/sdk-console';
import { answerWithoutKeys } from '../failure/without-keys';

/** What a model over a network is made with; what is given here wins over what the services were started with. */
export interface ProviderLlmParams extends Partial<RetryPolicy> {
  readonly model: string;
  readonly apiKey?: string;
  readonly baseUrl?: string;
  /** The most bytes of one answer, unpacked; a larger one is an error. 32 MiB when it is said nowhere. */
  readonly maxAnswerBytes?: number;
}

const DEFAULT_MAX_ANSWER_BYTES = 32 * 1_024 * 1_024;

/** One request to a provider. */
export interface ProviderCall {
  readonly model: string;
  /** Empty where the provider's server needs none. */
  readonly apiKey: string;
  /** None: the provider's own address. */
  readonly baseUrl: string | undefined;
  readonly stream: boolean;
  readonly signal: AbortSignal;
  /** How long a streamed answer may be silent. */
  readonly idleTimeoutMs: number;
  /** For the SDK, which is to make its request with it: it hears when bytes come, and what a refusal's headers say. */
  readonly fetch: typeof fetch;
  /** Whether the stream came to the mark behind which nothing comes: of that an SDK says no word. */
  readonly isDone: () => boolean;
}

/**
 * A model over a provider's own SDK: what all of them share is here, what a request and an answer look like is the
 * adapter's. `Piece` is the SDK's chunk; an answer that is not streamed is one of them.
 */
export abstract class ProviderLlm<Piece> extends BaseLlm {
  protected abstract readonly provider: ModelProvider;
  readonly #params: ProviderLlmParams;
  readonly #retryPolicy: RetryPolicy;

  /** Throws `model.bad-setting` where one makes no sense, without a look at key and address: they are its next request's. */
  constructor(params: ProviderLlmParams) {
    super(params);
    this.#params = params;
    checkModelName(params.model);
    this.#retryPolicy = checkedRetryPolicy(params.model, params);
    checkAnswerLimit(params);
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
    const model = request.model || this.model;
    const { provider } = this;
    const connection = connectionOf({ ...this.#params, provider, model }, (baseUrl) => this.keyUse(baseUrl));
    const secrets = this.secrets();
    const keys = [connection.apiKey, ...secrets];
    const { idleTimeoutMs } = this.#retryPolicy;
    const call = { model, ...connection, stream, idleTimeoutMs };
    let last: Attempt | undefined;
    const open = (attempt: Attempt): AsyncIterable<LlmResponse> => {
      last = attempt;
      const { signal } = attempt;
      const body = new AnswerBody({
        isStreamed: stream,
        hasNamedEvents: this.provider === 'anthropic',
        maxBytes: this.#maxAnswerBytes,
      });
      const made = { signal, fetch: body.fetchWith(attempt.fetch), isDone: () => body.isDone };
      const pieces = attempt.listen(
        () => askQuietly({ provider, keys }, () => this.ask(request, { ...call, ...made })),
        stream,
      );
      return body.tellingWhy(this.read(pieces, stream));
    };
    try {
      const answers = askWithRetries(open, this.#retryPolicy, wayOf(this.#laneOf(call)), abortSignal);
      for await (const answer of answers) yield answerWithoutKeys(answer, keys);
    } catch (thrown) {
      abortSignal?.throwIfAborted();
      const error = providerError(thrown, { ...call, secrets, response: last?.response });
      const answer = refusal(error);
      if (!answer) throw error;
      yield answer;
    }
  }

  #laneOf({ model, baseUrl, apiKey }: Pick<ProviderCall, 'model' | 'baseUrl' | 'apiKey'>): Lane {
    const account = accountOf(apiKey, ...this.secrets(), ...this.account());
    return { provider: this.provider, baseUrl, model, account };
  }

  /** What else than the key is shown to the provider and told to nobody. */
  protected secrets(): readonly string[] {
    return [];
  }

  /** By what else than these the provider knows whose request it is, and whose limits it counts for. */
  protected account(): readonly string[] {
    return [];
  }

  /** Servers of one's own often take no key. */
  protected keyUse(_baseUrl: string | undefined): KeyUse {
    return 'needed';
  }

  get #maxAnswerBytes(): number {
    return this.#params.maxAnswerBytes ?? modelSettings().maxAnswerBytes ?? DEFAULT_MAX_ANSWER_BYTES;
  }
}

function checkAnswerLimit({ model, maxAnswerBytes = 1 }: ProviderLlmParams): void {
  if (Number.isSafeInteger(maxAnswerBytes) && maxAnswerBytes >= 1) return;
  throw badSetting(model, 'maxAnswerBytes', `a whole number from 1, and is ${String(maxAnswerBytes)}`);
}

/** An answer that came in one piece. */
export async function* once<T>(value: T): AsyncGenerator<T, void> {
  yield value;
}
