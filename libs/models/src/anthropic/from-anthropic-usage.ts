import type { MessageDeltaUsage, Usage } from '@anthropic-ai/sdk/resources/messages';
import { type UsageMetadata } from '@skein/contracts';

/** Token counts of an answer, or of a part of a stream; fields a server leaves out count as nothing. */
export type AnthropicUsage = Partial<Usage> | Partial<MessageDeltaUsage>;

/** In google-genai's names, where the prompt holds what came from a cache, and thoughts are no part of the answer. */
export function fromAnthropicUsage(usage: AnthropicUsage): UsageMetadata {
  const cached = usage.cache_read_input_tokens ?? 0;
  const cacheCreated = usage.cache_creation_input_tokens ?? 0;
  const prompt = (usage.input_tokens ?? 0) + cached + cacheCreated;
  const output = usage.output_tokens ?? 0;
  const thoughts = usage.output_tokens_details?.thinking_tokens ?? 0;
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: output - thoughts,
    totalTokenCount: prompt + output,
    ...(cached > 0 ? { cachedContentTokenCount: cached } : {}),
    // Not google-genai's: what was written into the cache is paid for at another price.
    ...(cacheCreated > 0 ? { cacheCreationTokenCount: cacheCreated } : {}),
    ...(thoughts > 0 ? { thoughtsTokenCount: thoughts } : {}),
  };
}
