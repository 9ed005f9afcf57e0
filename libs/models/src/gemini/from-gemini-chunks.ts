import { type LlmResponse } from '@skein/engine';
import { aboutResponse, fromGeminiResponse, type GeminiResponse } from './from-gemini-response';

/** The chunks of a streamed answer, each as a piece of it; a stream without an answer ends in an error code. */
export async function* fromGeminiChunks(
  chunks: AsyncIterable<GeminiResponse>,
): AsyncGenerator<LlmResponse, void> {
  let isAnswered = false;
  for await (const chunk of chunks) {
    const isPiece = Boolean(chunk.candidates?.[0] ?? chunk.promptFeedback?.blockReason);
    isAnswered ||= isPiece;
    // Token counts may come in a chunk of their own, before the answer or behind it.
    yield isPiece ? fromGeminiResponse(chunk) : aboutResponse(chunk);
  }
  if (!isAnswered) yield fromGeminiResponse({});
}
