import { type FunctionCall } from '@skein/contracts';
import { type LlmResponse } from '@skein/engine';

/** A model's answer of one text. */
export function text(value: string): LlmResponse {
  return { content: { role: 'model', parts: [{ text: value }] } };
}

/** A model's answer that asks for tools. */
export function calls(...functionCalls: FunctionCall[]): LlmResponse {
  return { content: { role: 'model', parts: functionCalls.map((functionCall) => ({ functionCall })) } };
}

export function partial(response: LlmResponse): LlmResponse {
  return { ...response, partial: true };
}
