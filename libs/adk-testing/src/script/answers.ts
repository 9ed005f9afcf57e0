import { type LlmResponse } from '@skein/adk';

/** An answer in words. */
export function says(text: string): LlmResponse {
  return { content: { role: 'model', parts: [{ text }] } };
}

/** An answer that calls a tool. */
export function calls(name: string, args: Readonly<Record<string, unknown>> = {}): LlmResponse {
  return { content: { role: 'model', parts: [{ functionCall: { name, args: { ...args } } }] } };
}

/** An answer that hands the conversation over to another agent. */
export function transfersTo(agentName: string): LlmResponse {
  return calls('transfer_to_agent', { agentName });
}

/** Several answers as one: two calls in a turn, or words beside a call. */
export function together(...answers: readonly LlmResponse[]): LlmResponse {
  return { content: { role: 'model', parts: answers.flatMap(({ content }) => content?.parts ?? []) } };
}

/** A text in pieces, as a model streams it; a run without streaming gets the whole. */
export function streams(...pieces: readonly string[]): LlmResponse[] {
  return [...pieces, pieces.join('')].map(says);
}

/** A refusal, as a provider's: `SAFETY`, `MAX_TOKENS`, `ClientError`. */
export function fails(errorCode: string, errorMessage = `The script says ${errorCode}.`): LlmResponse {
  return { errorCode, errorMessage };
}
