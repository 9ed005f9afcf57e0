/** Answers of scripted models, shared by the chaos agents. */
export interface ScriptedCall {
  readonly name: string;
  readonly args?: Record<string, unknown>;
  readonly id?: string;
}

/** An answer that calls tools, side by side. */
export function calls(...functionCalls: readonly ScriptedCall[]) {
  const parts = functionCalls.map(({ name, args = {}, id }) => ({
    functionCall: { name, args, ...(id === undefined ? {} : { id }) },
  }));
  return { content: { role: 'model', parts } };
}

/** A text in `count` pieces, one every `delayMs`, as a model streams it. */
export function slowly(count: number, delayMs: number) {
  const words = Array.from({ length: count }, (_, index) => `word${index} `);
  const say = (text: string) => ({ content: { role: 'model', parts: [{ text }] } });
  return [...words.map((word) => ({ delayMs, response: say(word) })), say(words.join(''))];
}

/** As many pieces of 8 KiB, then a short answer: more than a client that does not read can hold. */
export function flood(count: number) {
  const say = (text: string) => ({ content: { role: 'model', parts: [{ text }] } });
  return [...Array.from({ length: count }, () => say('x'.repeat(8_192))), say('That was all.')];
}
