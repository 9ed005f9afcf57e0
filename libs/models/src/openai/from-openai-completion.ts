import { type LlmResponse } from '@skein/engine';
import { aboutPiece, aboutTokens, endOf, firstChoice, NO_ANSWER, saidParts } from './openai-answer';
import { type OpenAIPiece } from './openai-wire';
import { WireCalls } from './wire-calls';

/** A whole completion as an answer; a refusal, or none at all, as an error code and its reason. */
export function fromOpenAICompletion(completion: OpenAIPiece): LlmResponse {
  const choice = firstChoice(completion);
  const said = choice?.message ?? choice?.delta ?? {};
  const calls = new WireCalls(completion.names);
  // Their place in the list tells them apart; Ollama numbers all of them 0.
  for (const [index, call] of (said.tool_calls ?? []).entries()) calls.add(call, index);
  const parts = [...saidParts(said), ...calls.parts];
  const answer = {
    ...aboutPiece(completion),
    ...aboutTokens(choice?.logprobs?.content ?? []),
    ...(parts.length > 0 ? { content: { role: 'model', parts } } : {}),
  };
  const { finish_reason: finish } = choice ?? {};
  if (finish || said.refusal) return { ...answer, ...endOf(finish ?? '', said.refusal ?? '') };
  if (parts.length > 0) return answer;
  return { ...answer, ...NO_ANSWER };
}
