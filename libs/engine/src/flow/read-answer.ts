import { eventSchema } from '@skein/contracts';
import { readAs } from '../json/read-as';
import { type LlmResponse } from '../model/llm-response';

const answerSchema = eventSchema
  .pick({
    content: true,
    partial: true,
    turnComplete: true,
    finishReason: true,
    errorCode: true,
    errorMessage: true,
    interrupted: true,
    customMetadata: true,
    usageMetadata: true,
    groundingMetadata: true,
    citationMetadata: true,
    modelVersion: true,
  })
  .partial();

/** What a model, or a callback in its place, answered. Throws `model.bad-answer`. */
export function readAnswer(answer: unknown): LlmResponse {
  return readAs(answerSchema, answer, { code: 'model.bad-answer', what: "The model's answer" });
}
