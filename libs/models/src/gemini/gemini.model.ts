import { AdkError } from '@skein/contracts';
import { aggregateStream, BaseLlm, type LlmRequest, type LlmResponse } from '@skein/engine';
import type { GenerateContentResponse, Models } from '@google/genai';
import { askPatiently, DEFAULT_PATIENCE, type Patience } from '../patience/ask-patiently';
import { modelSettings } from '../registry/model-settings';
import { fromGeminiChunks } from './from-gemini-chunks';
import { fromGeminiResponse } from './from-gemini-response';
import { providerError } from './provider-error';
import { toGeminiRequest } from './to-gemini-request';

export interface GeminiParams {
  readonly model: string;
  /** Given here, it wins over what the services were started with. */
  readonly apiKey?: string;
  readonly baseUrl?: string;
  /** A request without a word for so long is given up; two minutes when left out. */
  readonly idleTimeoutMs?: number;
  /** Requests of one call in all: overload and outages are asked again before the first piece; 3 when left out. */
  readonly maxAttempts?: number;
}

/** Google's models, over the Gemini API. */
export class Gemini extends BaseLlm {
  static override readonly supportedModels = [/gemini-.*/];
  readonly #params: GeminiParams;

  constructor(params: GeminiParams) {
    super(params);
    this.#params = params;
  }

  override async *generateContentAsync(
    request: LlmRequest,
    stream = false,
    abortSignal?: AbortSignal,
  ): AsyncGenerator<LlmResponse, void> {
    abortSignal?.throwIfAborted();
    const apiKey = this.#params.apiKey ?? modelSettings().apiKeys?.gemini;
    if (!apiKey) {
      throw new AdkError(
        'invalid',
        'model.no-key',
        `No API key for model "${this.model}": set GOOGLE_API_KEY or GEMINI_API_KEY.`,
      );
    }
    const models = await this.#connect(apiKey);
    const ask = async (signal: AbortSignal): Promise<AsyncIterable<GenerateContentResponse>> => {
      const parameters = toGeminiRequest(request, this.model, signal);
      return stream
        ? models.generateContentStream(parameters)
        : once(await models.generateContent(parameters));
    };
    try {
      const chunks = askPatiently(ask, this.#patience, abortSignal);
      if (stream) yield* aggregateStream(fromGeminiChunks(chunks));
      else for await (const response of chunks) yield fromGeminiResponse(response);
    } catch (thrown) {
      abortSignal?.throwIfAborted();
      throw providerError(thrown, apiKey);
    }
  }

  get #patience(): Patience {
    const { idleTimeoutMs, maxAttempts } = this.#params;
    return {
      ...DEFAULT_PATIENCE,
      ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
      ...(maxAttempts === undefined ? {} : { maxAttempts }),
    };
  }

  async #connect(apiKey: string): Promise<Models> {
    // Loaded at the first call: the SDK is large, and a stack of scripted models never needs it.
    const { GoogleGenAI } = await import('@google/genai');
    const baseUrl = this.#params.baseUrl ?? modelSettings().baseUrls?.gemini;
    const client = new GoogleGenAI({
      apiKey,
      // Said outright, because the SDK would otherwise look for it in the environment.
      vertexai: false,
      ...(baseUrl ? { httpOptions: { baseUrl } } : {}),
    });
    return client.models;
  }
}

async function* once<T>(value: T): AsyncGenerator<T, void> {
  yield value;
}
