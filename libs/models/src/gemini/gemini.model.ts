import { aggregateStream, type LlmRequest, type LlmResponse } from '@skein/engine';
import type { GenerateContentResponse, Models } from '@google/genai';
import { once, type ProviderCall, ProviderLlm, type ProviderLlmParams } from '../provider/provider-llm';
import { fromGeminiChunks } from './from-gemini-chunks';
import { fromGeminiResponse } from './from-gemini-response';
import { toGeminiRequest } from './to-gemini-request';

export type GeminiParams = ProviderLlmParams;

/** Google's models, over the Gemini API. */
export class Gemini extends ProviderLlm<GenerateContentResponse> {
  static override readonly supportedModels = [/gemini-.*/];
  protected override readonly provider = 'gemini';

  protected override async ask(
    request: LlmRequest,
    call: ProviderCall,
  ): Promise<AsyncIterable<GenerateContentResponse>> {
    const models = await connect(call);
    const parameters = toGeminiRequest(request, call.model, call.signal);
    return call.stream
      ? models.generateContentStream(parameters)
      : once(await models.generateContent(parameters));
  }

  protected override async *read(
    pieces: AsyncIterable<GenerateContentResponse>,
    stream: boolean,
  ): AsyncIterable<LlmResponse> {
    if (stream) yield* aggregateStream(fromGeminiChunks(pieces));
    else for await (const response of pieces) yield fromGeminiResponse(response);
  }
}

async function connect({ apiKey, baseUrl, fetch }: ProviderCall): Promise<Models> {
  // Loaded at the first call: the SDK is large, and a stack of scripted models never needs it.
  const { GoogleGenAI } = await import('@google/genai');
  const client = new GoogleGenAI({
    apiKey,
    // Said outright, because the SDK would otherwise look for it in the environment.
    vertexai: false,
    // Given, because the SDK would hand Node's own a dispatcher made of another copy of undici's classes.
    httpOptions: { fetch, ...(baseUrl ? { baseUrl } : {}) },
  });
  return client.models;
}
