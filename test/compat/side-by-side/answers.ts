import { type LlmResponse } from '@google/adk';

/** A whole answer of text. */
export function text(value: string): LlmResponse {
  return { content: { role: 'model', parts: [{ text: value }] } };
}

/** A piece of a streamed answer. */
export function piece(value: string): LlmResponse {
  return { ...text(value), partial: true };
}

/** Calls of tools, without ids, as Gemini makes them. */
export function calls(
  ...made: readonly (readonly [name: string, args: Record<string, unknown>])[]
): LlmResponse {
  return {
    content: { role: 'model', parts: made.map(([name, args]) => ({ functionCall: { name, args } })) },
  };
}
