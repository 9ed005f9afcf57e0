import { AdkError } from '@skein/contracts';
import { aggregateStream, BaseLlm, type LlmRequest, type LlmResponse } from '@skein/engine';
import type { Models } from '@google/genai';
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
    const parameters = toGeminiRequest(request, this.model, abortSignal);
    try {
      const models = await this.#connect(apiKey);
      if (stream) yield* aggregateStream(fromGeminiChunks(await models.generateContentStream(parameters)));
      else yield fromGeminiResponse(await models.generateContent(parameters));
    } catch (thrown) {
      abortSignal?.throwIfAborted();
      throw providerError(thrown, apiKey);
    }
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
