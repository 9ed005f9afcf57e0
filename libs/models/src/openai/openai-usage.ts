import { type UsageMetadata } from '@skein/contracts';
import { type WireUsage } from './openai-wire';

/** Token counts in google-genai's names, which count thoughts beside the answer; OpenAI counts them in it. */
export function fromOpenAIUsage(usage: WireUsage): UsageMetadata {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage;
  const cached = usage.prompt_tokens_details?.cached_tokens;
  const thoughts = usage.completion_tokens_details?.reasoning_tokens ?? 0;
  // Some servers leave the thoughts out of what they call the completion.
  const isWithin = thoughts <= (completion ?? 0);
  return {
    ...counted('promptTokenCount', prompt),
    ...counted('candidatesTokenCount', isWithin ? minus(completion, thoughts) : completion),
    ...counted('totalTokenCount', total),
    ...counted('cachedContentTokenCount', cached),
    ...(thoughts > 0 ? { thoughtsTokenCount: thoughts } : {}),
  };
}

function counted(name: string, count: number | null | undefined): Record<string, number> {
  return typeof count === 'number' ? { [name]: count } : {};
}

function minus(count: number | null | undefined, part: number): number | undefined {
  return typeof count === 'number' ? count - part : undefined;
}
