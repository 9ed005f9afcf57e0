import { type JsonObject } from '@skein/contracts';
import { type WireLogprobs } from './openai-wire';

/** How likely the tokens of an answer were, in google-genai's form. */
export function fromOpenAILogprobs(tokens: WireLogprobs): JsonObject {
  const sum = tokens.reduce((total, { logprob }) => total + logprob, 0);
  return {
    avgLogprobs: sum / tokens.length,
    logprobsResult: {
      chosenCandidates: tokens.map(candidate),
      topCandidates: tokens.map(({ top_logprobs: top }) => ({ candidates: (top ?? []).map(candidate) })),
    },
  };
}

function candidate({ token, logprob }: { readonly token: string; readonly logprob: number }): JsonObject {
  return { token, logProbability: logprob };
}
