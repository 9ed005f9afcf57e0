import { AdkError } from '@skein/contracts';
import { type LlmResponse } from '@skein/engine';
import { aboutResponse, fromGeminiResponse, type GeminiResponse } from './from-gemini-response';

/**
 * The chunks of a streamed answer, each as a piece of it; a stream without an answer ends in an error code. Throws
 * `model.truncated` when no chunk says why the answer stops: the last one always does.
 */
export async function* fromGeminiChunks(
  chunks: AsyncIterable<GeminiResponse>,
): AsyncGenerator<LlmResponse, void> {
  let isAnswered = false;
  let isEnded = false;
  for await (const chunk of chunks) {
    const blocked = chunk.promptFeedback?.blockReason;
    const isPiece = Boolean(chunk.candidates?.[0] ?? blocked);
    isAnswered ||= isPiece;
    isEnded ||= Boolean(chunk.candidates?.[0]?.finishReason ?? blocked);
    // Token counts may come in a chunk of their own, before the answer or behind it.
    yield* isPiece ? apart(fromGeminiResponse(chunk)) : [aboutResponse(chunk)];
  }
  if (!isAnswered) yield fromGeminiResponse({});
  else if (!isEnded)
    throw new AdkError('unavailable', 'model.truncated', "The model's answer broke off before its end.");
}

/** What was said is shown; that it ended badly is told of the whole answer. */
function apart(answer: LlmResponse): LlmResponse[] {
  const { content, ...about } = answer;
  return content && about.errorCode ? [{ content }, about] : [answer];
}
