import { type LlmResponse } from '@skein/engine';
import type { GeminiResponse } from './from-gemini-response';

type EndError = Pick<LlmResponse, 'errorCode' | 'errorMessage'>;

const GOOD_ENDS: ReadonlySet<string> = new Set(['STOP', 'FINISH_REASON_UNSPECIFIED']);

/** What is wrong with an answer that ended like this, whatever was said of it before (B18); nothing where it is whole. */
export function endError({ candidates, promptFeedback }: GeminiResponse): EndError {
  if (promptFeedback?.blockReason) {
    const { blockReason, blockReasonMessage } = promptFeedback;
    return {
      errorCode: blockReason,
      errorMessage: blockReasonMessage ?? `The provider blocked the prompt: ${blockReason}.`,
    };
  }
  const candidate = candidates?.[0];
  if (!candidate) return { errorCode: 'UNKNOWN_ERROR', errorMessage: 'The provider sent no answer.' };
  // As a text: the vendor may add reasons.
  const finishReason: string | undefined = candidate.finishReason;
  if (!finishReason || GOOD_ENDS.has(finishReason)) return {};
  return { errorCode: finishReason, errorMessage: candidate.finishMessage ?? sentenceOf(finishReason) };
}

function sentenceOf(finishReason: string): string {
  return finishReason === 'MAX_TOKENS'
    ? 'The answer was cut: it reached the limit of tokens.'
    : `The model ended its answer early: ${finishReason}.`;
}
