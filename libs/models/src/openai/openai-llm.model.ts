import { aggregateStream, type LlmRequest, type LlmResponse } from '@skein/engine';
import { once, type ProviderCall, ProviderLlm, type ProviderLlmParams } from '../provider/provider-llm';
import { type ToolNames } from '../provider/tool-names';
import { fromOpenAIChunks } from './from-openai-chunks';
import { fromOpenAICompletion } from './from-openai-completion';
import { isOpenAIs } from './openai-address';
import { readPiece, type WirePiece, type WireSaid } from './openai-wire';
import { toOpenAIRequest } from './to-openai-request';

export type OpenAILlmParams = ProviderLlmParams;

/**
 * OpenAI's models, and any model of a server that speaks its Chat Completions API (Ollama, vLLM, LiteLLM), by `baseUrl` or
 * `OPENAI_BASE_URL`. A name that is not OpenAI's is written `openai/<name>`; a server of one's own needs no key.
 */
export class OpenAILlm extends ProviderLlm<WirePiece> {
  static override readonly supportedModels = [
    /gpt-.*/,
    /ft:gpt-.*/,
    /chatgpt-.*/,
    /o\d+(-.*)?/,
    /openai\/.+/,
  ];
  protected override readonly provider = 'openai';

  protected override isKeyNeeded(baseUrl: string | undefined): boolean {
    return isOpenAIs(baseUrl);
  }

  protected override async ask(request: LlmRequest, call: ProviderCall): Promise<AsyncIterable<WirePiece>> {
    const { body, names } = toOpenAIRequest(request, call);
    const { completions } = (await connect(call)).chat;
    const answer: unknown = await completions.create(body, { signal: call.signal });
    return readPieces(isPieces(answer) ? answer : once(answer), names);
  }

  protected override async *read(
    pieces: AsyncIterable<WirePiece>,
    stream: boolean,
  ): AsyncIterable<LlmResponse> {
    if (stream) yield* aggregateStream(fromOpenAIChunks(pieces));
    else for await (const completion of pieces) yield fromOpenAICompletion(completion);
  }
}

async function* readPieces(sent: AsyncIterable<unknown>, names: ToolNames): AsyncGenerator<WirePiece, void> {
  for await (const one of sent) {
    const piece = readPiece(one);
    for (const { delta, message } of piece.choices ?? []) {
      nameTools(delta, names);
      nameTools(message, names);
    }
    yield piece;
  }
}

/** What a proxy answers may be a page, which the SDK gives as a text. */
function isPieces(answer: unknown): answer is AsyncIterable<unknown> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
}

/** In place: the piece was parsed for this reader alone. */
function nameTools(said: WireSaid | null | undefined, names: ToolNames): void {
  for (const { function: called } of said?.tool_calls ?? []) {
    if (called?.name) called.name = names.meant(called.name);
  }
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
