import { type LlmResponse } from '@skein/engine';
import { type WireUsage } from './anthropic-wire';

/**
 * In google-genai's names, where the prompt holds what came from a cache, and thoughts are no part of the answer. Nothing
 * where the server counts nothing; of a count that it leaves out there were none.
 */
export function fromAnthropicUsage(usage: WireUsage | null | undefined): Pick<LlmResponse, 'usageMetadata'> {
  if (!usage) return {};
  const cached = usage.cache_read_input_tokens ?? 0;
  const cacheCreated = usage.cache_creation_input_tokens ?? 0;
  const prompt = (usage.input_tokens ?? 0) + cached + cacheCreated;
  const output = usage.output_tokens ?? 0;
  const thoughts = usage.output_tokens_details?.thinking_tokens ?? 0;
  return {
    usageMetadata: {
      promptTokenCount: prompt,
      candidatesTokenCount: output - thoughts,
      totalTokenCount: prompt + output,
      ...(cached > 0 ? { cachedContentTokenCount: cached } : {}),
      // Not google-genai's: what was written into the cache is paid for at another price.
      ...(cacheCreated > 0 ? { cacheCreationTokenCount: cacheCreated } : {}),
      ...(thoughts > 0 ? { thoughtsTokenCount: thoughts } : {}),
    },
  };
}
