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

const OURS: ReadonlySet<string> = new Set([
  ...['id', 'invocationId', 'timestamp', 'author', 'branch', 'isolationScope'],
  ...['actions', 'longRunningToolIds'],
]);

/** What a model, or a callback in its place, answered. Throws `model.bad-answer`. */
export function readAnswer(answer: unknown): LlmResponse {
  const read = readAs(answerSchema, answer, { code: 'model.bad-answer', what: "The model's answer" });
  // Fields we do not know are the provider's; where an event stands and what it does is not for a model to say.
  if (!Object.keys(read).some((field) => OURS.has(field))) return read;
  return Object.fromEntries(Object.entries(read).filter(([field]) => !OURS.has(field)));
}
