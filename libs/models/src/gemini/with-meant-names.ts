import type { FunctionCall, GenerateContentResponse } from '@google/genai';
import { argumentsOf } from '../reading/read-arguments';
import { type ToolNames } from '../request/tool-names';

/**
 * Answers in which tools go by the names that the engine knows them by, with arguments that it can read; set in place, since
 * nobody else has read them.
 */
export async function* withMeantNames(
  pieces: AsyncIterable<GenerateContentResponse>,
  names: Pick<ToolNames, 'meant'>,
): AsyncGenerator<GenerateContentResponse, void> {
  for await (const piece of pieces) {
    for (const { functionCall } of piece.candidates?.[0]?.content?.parts ?? []) {
      if (functionCall) read(functionCall, names);
    }
    yield piece;
  }
}

function read(call: FunctionCall, names: Pick<ToolNames, 'meant'>): void {
  if (call.name) call.name = names.meant(call.name);
  // Of streamed arguments there are none here.
  if (call.args !== undefined) Object.assign(call, argumentsOf(call.args));
}
