import { AdkError, eventSchema } from '@skein/contracts';
import { cleanJson } from '../json/clean-json';
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

/**
 * What a model, or a callback in its place, answered, made storable. An answer of another shape would be refused by
 * the store together with all that shares its unit, so it is refused here: `model.bad-answer` names what is wrong.
 */
export function readAnswer(answer: unknown): LlmResponse {
  const parsed = answerSchema.safeParse(cleanJson(answer));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.length ? ` at ${issue.path.join('.')}` : '';
  throw new AdkError(
    'invalid',
    'model.bad-answer',
    `The model's answer cannot be used${where}: ${issue?.message ?? 'it has another shape'}.`,
  );
}
