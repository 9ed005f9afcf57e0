import type { GenerateContentResponse } from '@google/genai';
import { type Content, type JsonObject, type UsageMetadata } from '@skein/contracts';
import { type LlmResponse } from '@skein/engine';

/** The parts of the SDK's response that an answer is made of; the rest of it is methods. */
export type GeminiResponse = Pick<
  GenerateContentResponse,
  'candidates' | 'promptFeedback' | 'usageMetadata' | 'modelVersion'
>;

/** The first candidate as an answer; a refusal, or an answer without a word, as an error code and its reason. */
export function fromGeminiResponse(response: GeminiResponse): LlmResponse {
  const { candidates, promptFeedback } = response;
  const about = aboutResponse(response);
  const candidate = candidates?.[0];
  if (!candidate) {
    const errorCode = promptFeedback?.blockReason ?? 'UNKNOWN_ERROR';
    return { ...about, errorCode, errorMessage: promptFeedback?.blockReasonMessage ?? 'Unknown error.' };
  }

  const { content, finishMessage, groundingMetadata, citationMetadata, urlContextMetadata } = candidate;
  const finishReason: string | undefined = candidate.finishReason;
  const answer: LlmResponse = {
    ...about,
    ...(finishReason ? { finishReason } : {}),
    ...(groundingMetadata ? { groundingMetadata: groundingMetadata as JsonObject } : {}),
    ...(citationMetadata ? { citationMetadata: citationMetadata as JsonObject } : {}),
    // An event has no field of its own for the pages that were read.
    ...(urlContextMetadata ? { customMetadata: { urlContextMetadata } } : {}),
  };
  if (content?.parts?.length) return { ...answer, content: { role: 'model', ...content } as Content };
  // Nothing said: between two chunks that is no news, at the end the engine decides about STOP (B18).
  if (!finishReason || finishReason === 'STOP') return answer;
  return {
    ...answer,
    errorCode: finishReason,
    errorMessage: finishMessage ?? 'The model stopped without an answer.',
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
