import type { GenerateContentResponse } from '@google/genai';
import { type ToolNames } from '../provider/tool-names';

/** Answers in which tools go by the names that the engine knows them by; set in place, since nobody else has read them. */
export async function* withMeantNames(
  pieces: AsyncIterable<GenerateContentResponse>,
  names: Pick<ToolNames, 'meant'>,
): AsyncGenerator<GenerateContentResponse, void> {
  for await (const piece of pieces) {
    for (const { functionCall } of piece.candidates?.[0]?.content?.parts ?? []) {
      if (functionCall?.name) functionCall.name = names.meant(functionCall.name);
    }
    yield piece;
  }
}
