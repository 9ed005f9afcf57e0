import type { FunctionCall, GenerateContentResponse } from '@google/genai';
import { readArguments } from '../reading/read-arguments';
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
  // Whatever the SDK's type says, servers send what a model wrote; of streamed arguments there are none here.
  const args: unknown = call.args;
  if (args === undefined) return;
  Object.assign(call, readArguments(Array.isArray(args) ? JSON.stringify(args) : (args as string | null)));
}
