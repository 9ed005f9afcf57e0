import type { GenerateContentResponse } from '@google/genai';
import { type Content, type JsonObject, type UsageMetadata } from '@skein/contracts';
import { type LlmResponse } from '@skein/engine';
import { endError } from './end-error';

/** The parts of the SDK's response that an answer is made of; the rest of it is methods. */
export type GeminiResponse = Pick<
  GenerateContentResponse,
  'candidates' | 'promptFeedback' | 'usageMetadata' | 'modelVersion'
>;

/** The first candidate as an answer; where it is refused, cut or not there, with an error code and a sentence. */
export function fromGeminiResponse(response: GeminiResponse): LlmResponse {
  const candidate = response.candidates?.[0];
  const about = { ...aboutResponse(response), ...endError(response) };
  if (!candidate) return about;
  const { content, finishReason, groundingMetadata, citationMetadata, urlContextMetadata } = candidate;
  return {
    ...about,
    ...(finishReason ? { finishReason } : {}),
    ...(groundingMetadata ? { groundingMetadata: groundingMetadata as JsonObject } : {}),
    ...(citationMetadata ? { citationMetadata: citationMetadata as JsonObject } : {}),
    // An event has no field of its own for the pages that were read.
    ...(urlContextMetadata ? { customMetadata: { urlContextMetadata } } : {}),
    // Nothing said: between two chunks that is no news, at the end the engine decides about STOP (B18).
    ...(content?.parts?.length ? { content: { role: 'model', ...content } as Content } : {}),
  };
}

/** What a response says about an answer, whether there is one in it or not. */
export function aboutResponse({ usageMetadata, modelVersion }: GeminiResponse): LlmResponse {
  return {
    // The SDK's classes hold plain JSON; their optional fields are ours.
    ...(usageMetadata ? { usageMetadata: usageMetadata as UsageMetadata } : {}),
    ...(modelVersion ? { modelVersion } : {}),
  };
}
