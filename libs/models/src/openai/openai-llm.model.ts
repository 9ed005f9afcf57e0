import { aggregateStream, type LlmRequest, type LlmResponse } from '@skein/engine';
import { finishedAnswer, toldBy } from '../reading/finished-answer';
import { once, type ProviderCall, ProviderLlm, type ProviderLlmParams } from '../provider/provider-llm';
import { type ToolNames } from '../request/tool-names';
import { type KeyUse } from '../registry/connection';
import { fromOpenAIChunks } from './from-openai-chunks';
import { fromOpenAICompletion } from './from-openai-completion';
import { isOpenAIs } from './openai-address';
import { firstChoice } from './openai-answer';
import { type OpenAIPiece, readPiece } from './openai-wire';
import { type OpenAILack } from './to-openai-part';
import { type OpenAICache, type OpenAICacheRetention, toOpenAIRequest } from './to-openai-request';

export interface OpenAILlmParams extends ProviderLlmParams {
  /** Requests of one key are sent where the beginning of the conversation may still be cached; chosen by OpenAI when left out. */
  readonly cacheKey?: string;
  /** How long OpenAI keeps it: minutes in memory, or a day; as its model has it when left out. */
  readonly cacheRetention?: OpenAICacheRetention;
  /** What a server or its model does not take: refused before it is sent, and in older turns told as text. */
  readonly lacks?: readonly OpenAILack[];
}

/**
 * OpenAI's models, and any model of a server that speaks its Chat Completions API (Ollama, vLLM, LiteLLM), by `baseUrl` or
 * `OPENAI_BASE_URL`. A name that is not OpenAI's is written `openai/<name>`; a server of one's own needs no key.
 */
export class OpenAILlm extends ProviderLlm<OpenAIPiece> {
  static override readonly supportedModels = [
    /gpt-.*/,
    /ft:gpt-.*/,
    /chatgpt-.*/,
    /o\d+(-.*)?/,
    /openai\/.+/,
  ];
  protected override readonly provider = 'openai';
  readonly #cache: OpenAICache;
  readonly #lacks: readonly OpenAILack[] | undefined;

  constructor(params: OpenAILlmParams) {
    super(params);
    this.#cache = { key: params.cacheKey, retention: params.cacheRetention };
    this.#lacks = params.lacks;
  }

  protected override keyUse(baseUrl: string | undefined): KeyUse {
    return isOpenAIs(baseUrl) ? 'needed' : 'optional';
  }

  protected override async ask(request: LlmRequest, call: ProviderCall): Promise<AsyncIterable<OpenAIPiece>> {
    const { body, names } = toOpenAIRequest(request, { ...call, cache: this.#cache, lacks: this.#lacks });
    const { completions } = (await connect(call)).chat;
    const answer: unknown = await completions.create(body, { signal: call.signal });
    const pieces = readPieces(isPieces(answer) ? answer : once(answer), names, call.isDone);
    return finishedAnswer(pieces, toldBy(isEnd, isCount), call.idleTimeoutMs);
  }

  protected override async *read(
    pieces: AsyncIterable<OpenAIPiece>,
    stream: boolean,
  ): AsyncIterable<LlmResponse> {
    if (stream) yield* aggregateStream(fromOpenAIChunks(pieces));
    else for await (const completion of pieces) yield fromOpenAICompletion(completion);
  }
}

function isEnd(piece: OpenAIPiece): boolean {
  return Boolean(firstChoice(piece)?.finish_reason);
}

/** Token counts come behind the reason why it ends. */
function isCount(piece: OpenAIPiece): boolean {
  return Boolean(piece.usage);
}

async function* readPieces(
  sent: AsyncIterable<unknown>,
  names: ToolNames,
  isDone: () => boolean,
): AsyncGenerator<OpenAIPiece, void> {
  for await (const one of sent) yield { ...readPiece(one), names };
  if (isDone()) yield { isDone: true };
}

/** What a proxy answers may be a page, which the SDK gives as a text. */
function isPieces(answer: unknown): answer is AsyncIterable<unknown> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
}

/** The longest that a timer takes: the wait for an answer is bounded elsewhere. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

async function connect({ apiKey, baseUrl, fetch }: ProviderCall) {
  // Loaded at the first call: the SDK is large, and a stack of scripted models never needs it.
  const { OpenAI: Client } = await import('openai');
  return new Client({
    apiKey,
    baseURL: baseUrl ?? null,
    // Given as null, because the SDK would otherwise look for them in the environment.
    organization: null,
    project: null,
    webhookSecret: null,
    // It would write what it cannot read of an answer to the console.
    logLevel: 'off',
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    fetch,
    // No key, no header: "Bearer " alone is refused by some servers.
    ...(apiKey ? {} : { defaultHeaders: { Authorization: null } }),
  });
}
