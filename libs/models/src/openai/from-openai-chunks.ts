import { AdkError } from '@skein/contracts';
import { type LlmResponse } from '@skein/engine';
import { aboutPiece, aboutTokens, endOf, firstChoice, NO_ANSWER, saidParts } from './openai-answer';
import { type WireLogprobs, type OpenAIPiece } from './openai-wire';
import { WireCalls } from './wire-calls';

/**
 * The chunks of a streamed answer, each as a piece of it; calls come with the last one, when they are whole. Throws
 * `model.truncated` for a stream that ends without saying why, or that this was all: it was cut, or never was an answer.
 */
export async function* fromOpenAIChunks(
  chunks: AsyncIterable<OpenAIPiece>,
): AsyncGenerator<LlmResponse, void> {
  let calls: WireCalls | undefined;
  const tokens: WireLogprobs = [];
  let about: LlmResponse = {};
  let finish = '';
  let refusal = '';
  let isDone = false;
  let isSaid = false;
  for await (const chunk of chunks) {
    calls ??= new WireCalls(chunk.names);
    isDone ||= chunk.isDone === true;
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
    isSaid ||= parts.length > 0;
    if (parts.length > 0) yield { content: { role: 'model', parts } };
  }
  if (!finish && !isDone) {
    throw new AdkError('unavailable', 'model.truncated', "The model's answer broke off before it was whole.");
  }
  const parts = calls?.parts ?? [];
  const isAnswer = isSaid || parts.length > 0;
  yield {
    ...about,
    ...aboutTokens(tokens),
    ...(parts.length > 0 ? { content: { role: 'model', parts } } : {}),
    ...(finish || refusal ? endOf(finish, refusal) : {}),
    ...(finish || refusal || isAnswer ? {} : NO_ANSWER),
  };
}
