import { aggregateStream, type LlmRequest, type LlmResponse } from '@skein/engine';
import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages';
import { finishedAnswer, toldBy } from '../reading/finished-answer';
import { once, type ProviderCall, ProviderLlm, type ProviderLlmParams } from '../provider/provider-llm';
import { badSetting } from '../registry/bad-setting';
import { fromAnthropicEvents } from './from-anthropic-events';
import { fromAnthropicMessage } from './from-anthropic-message';
import { type AnthropicCacheTtl, toAnthropicRequest } from './to-anthropic-request';
import { withMeantNames } from './with-meant-names';

export interface AnthropicLlmParams extends ProviderLlmParams {
  /** Tokens of an answer, thinking not counted, where the agent sets no `maxOutputTokens`; 8192 when left out. */
  readonly maxTokens?: number;
  /** Has Anthropic keep instruction, tools and conversation for so long; not at all when left out. */
  readonly cache?: AnthropicCacheTtl;
}

const DEFAULT_MAX_TOKENS = 8_192;
const ADDRESS = 'https://api.anthropic.com';
/** The longest that a timer takes: how long a model is waited for is `RetryPolicy`'s. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/** Claude, over Anthropic's Messages API. */
export class AnthropicLlm extends ProviderLlm<unknown> {
  static override readonly supportedModels = [/claude-.*/];
  protected override readonly provider = 'anthropic';
  readonly #maxTokens: number;
  readonly #cache: AnthropicCacheTtl | undefined;

  constructor(params: AnthropicLlmParams) {
    super(params);
    this.#maxTokens = params.maxTokens ?? DEFAULT_MAX_TOKENS;
    const isCount = Number.isSafeInteger(this.#maxTokens) && this.#maxTokens > 0;
    if (!isCount) throw badSetting(this.model, 'maxTokens', 'a whole number from 1');
    this.#cache = params.cache;
  }

  protected override async ask(request: LlmRequest, call: ProviderCall): Promise<AsyncIterable<unknown>> {
    const defaults = { maxTokens: this.#maxTokens, cache: this.#cache };
    const { parameters, names } = toAnthropicRequest(request, call.model, defaults);
    const create = await connect(call);
    const events = await create(parameters);
    return withMeantNames(finishedAnswer(events, toldBy(isEnd, isLastEvent), call.idleTimeoutMs), names);
  }

  protected override async *read(
    pieces: AsyncIterable<unknown>,
    stream: boolean,
  ): AsyncIterable<LlmResponse> {
    if (stream) yield* aggregateStream(fromAnthropicEvents(pieces));
    else for await (const message of pieces) yield fromAnthropicMessage(message);
  }
}

/** Why it ends comes behind all its blocks. */
function isEnd(piece: unknown): boolean {
  if (isLastEvent(piece)) return true;
  if (typeof piece !== 'object' || piece === null || !('delta' in piece)) return false;
  const { delta } = piece;
  return typeof delta === 'object' && delta !== null && 'stop_reason' in delta && Boolean(delta.stop_reason);
}

/** A message that is not streamed ends by itself. */
function isLastEvent(piece: unknown): boolean {
  return typeof piece === 'object' && piece !== null && 'type' in piece && piece.type === 'message_stop';
}

type Create = (parameters: MessageCreateParamsBase) => Promise<AsyncIterable<unknown>>;

async function connect({ apiKey, baseUrl, fetch, stream, signal }: ProviderCall): Promise<Create> {
  // Loaded at the first call: a stack of other models never needs it.
  const { Anthropic } = await import('@anthropic-ai/sdk');
  const client = new Anthropic({
    apiKey,
    baseURL: baseUrl ?? ADDRESS,
    // Said outright, because the SDK would otherwise look for them in the environment.
    authToken: null,
    webhookKey: null,
    logLevel: 'off',
    // The engine has spans of its own, and its requests tell nobody of them.
    openTelemetry: false,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    fetch,
  });
  return async (parameters) =>
    stream
      ? client.messages.create({ ...parameters, stream: true }, { signal })
      : once(await client.messages.create({ ...parameters, stream: false }, { signal }));
}
