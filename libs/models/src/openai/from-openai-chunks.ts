import { AdkError } from '@skein/contracts';
import { type LlmResponse } from '@skein/engine';
import { aboutPiece, aboutTokens, endOf, firstChoice, saidParts } from './openai-answer';
import { type WireLogprobs, type WirePiece } from './openai-wire';
import { WireCalls } from './wire-calls';

/**
 * The chunks of a streamed answer, each as a piece of it; calls come with the last one, when they are whole. Throws
 * `model.truncated` for a stream that ends without saying why: it was cut, or never was an answer.
 */
export async function* fromOpenAIChunks(chunks: AsyncIterable<WirePiece>): AsyncGenerator<LlmResponse, void> {
  const calls = new WireCalls();
  const tokens: WireLogprobs = [];
  let about: LlmResponse = {};
  let finish = '';
  let refusal = '';
  for await (const chunk of chunks) {
    // Token counts come in a chunk without a choice, or again in each.
    about = { ...about, ...aboutPiece(chunk) };
    const choice = firstChoice(chunk);
    if (!choice) continue;
    const said = choice.delta ?? choice.message ?? {};
    for (const call of said.tool_calls ?? []) calls.add(call, call.index ?? undefined);
    tokens.push(...(choice.logprobs?.content ?? []));
    refusal += said.refusal ?? '';
    if (choice.finish_reason) finish = choice.finish_reason;
    const parts = saidParts(said);
    if (parts.length > 0) yield { content: { role: 'model', parts } };
  }
  if (!finish) {
    throw new AdkError('unavailable', 'model.truncated', "The model's answer broke off before it was whole.");
  }
  const { parts } = calls;
  yield {
    ...about,
    ...aboutTokens(tokens),
    ...(parts.length > 0 ? { content: { role: 'model', parts } } : {}),
    ...endOf(finish, refusal),
  };
}
