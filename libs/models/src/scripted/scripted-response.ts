import { type LlmResponse } from '@skein/engine';

export interface DelayedResponse<T> {
  readonly delayMs: number;
  readonly response: T;
}

/** An answer; the chunks of a streamed answer, the last one complete; or one of these after a while. */
export type ScriptedResponse =
  | LlmResponse
  | readonly (LlmResponse | DelayedResponse<LlmResponse>)[]
  | DelayedResponse<LlmResponse | readonly LlmResponse[]>;

/** A script's response as what is said and how long to wait before saying it; the last step is the whole answer. */
export function stepsOf(scripted: ScriptedResponse): DelayedResponse<LlmResponse>[] {
  if (isDelayed(scripted)) {
    return stepsOf(scripted.response).map((step, index) =>
      index === 0 ? { ...step, delayMs: scripted.delayMs } : step,
    );
  }
  const chunks = isList(scripted) ? scripted : [scripted];
  return chunks.map((chunk, index) => {
    const { delayMs, response } = isDelayed(chunk) ? chunk : { delayMs: 0, response: chunk };
    const isLast = index === chunks.length - 1;
    return { delayMs, response: isLast ? withRole(response) : { ...withRole(response), partial: true } };
  });
}

/** Chunks that show a text word by word, then the whole of it: how a rule's text is streamed. */
export function wordByWord(text: string): LlmResponse[] {
  const words = text.match(/\s*\S+\s*$|\s*\S+/g) ?? [];
  return [...words, text].map((piece) => ({ content: { role: 'model', parts: [{ text: piece }] } }));
}

function withRole(response: LlmResponse): LlmResponse {
  return response.content ? { ...response, content: { role: 'model', ...response.content } } : response;
}

function isDelayed<T>(value: T | DelayedResponse<T>): value is DelayedResponse<T> {
  return typeof value === 'object' && value !== null && 'delayMs' in value;
}

/** Array.isArray does not narrow readonly arrays. */
function isList(scripted: ScriptedResponse): scripted is Extract<ScriptedResponse, readonly unknown[]> {
  return Array.isArray(scripted);
}
