import type { GenerateContentConfig, ThinkingConfig } from '@google/genai';
import { fromGenaiSchema, type JsonSchema } from '@skein/engine';
import type { ChatCompletionCreateParamsBase } from 'openai/resources/chat/completions';
import { strictSchema } from './strict-schema';

type Settings = Partial<ChatCompletionCreateParamsBase> & { top_k?: number };

/** Generation settings by OpenAI's names; one that it has no name for is left out. */
export function toOpenAISettings(config: GenerateContentConfig, isOpenAI: boolean): Settings {
  const { maxOutputTokens, stopSequences, responseLogprobs } = config;
  const effort = config.thinkingConfig && effortOf(config.thinkingConfig);
  const settings: Readonly<Record<string, unknown>> = {
    temperature: config.temperature,
    top_p: config.topP,
    // OpenAI refuses it; servers of one's own take it.
    top_k: isOpenAI ? undefined : config.topK,
    // OpenAI's newer models refuse the old name, servers of one's own may know no other.
    [isOpenAI ? 'max_completion_tokens' : 'max_tokens']: maxOutputTokens,
    stop: stopSequences?.length ? stopSequences : undefined,
    seed: config.seed,
    presence_penalty: config.presencePenalty,
    frequency_penalty: config.frequencyPenalty,
    logprobs: responseLogprobs ? true : undefined,
    top_logprobs: responseLogprobs ? config.logprobs : undefined,
    reasoning_effort: effort,
    response_format: formatOf(config),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

type Effort = NonNullable<ChatCompletionCreateParamsBase['reasoning_effort']>;

const LEVELS: Readonly<Record<string, Effort>> = {
  MINIMAL: 'minimal',
  LOW: 'low',
  MEDIUM: 'medium',
  HIGH: 'high',
};

/** Budgets as Google's own endpoint for OpenAI's API reads efforts: https://ai.google.dev/gemini-api/docs/openai */
function effortOf({ thinkingLevel, thinkingBudget: budget }: ThinkingConfig): Effort | undefined {
  const ofLevel = LEVELS[String(thinkingLevel).toUpperCase()];
  if (ofLevel) return ofLevel;
  // Below nothing: the model decides.
  if (budget === undefined || budget < 0) return undefined;
  if (budget === 0) return 'none';
  if (budget <= 1024) return 'low';
  return budget <= 8192 ? 'medium' : 'high';
}

function formatOf(config: GenerateContentConfig): ChatCompletionCreateParamsBase['response_format'] {
  const { responseMimeType, responseJsonSchema, responseSchema } = config;
  const given = (responseJsonSchema ?? responseSchema) as JsonSchema | undefined;
  if (given) {
    const schema = fromGenaiSchema(given);
    const strict = strictSchema(schema);
    return {
      type: 'json_schema',
      json_schema: { name: 'answer', schema: strict ?? schema, strict: strict !== undefined },
    };
  }
  return responseMimeType === 'application/json' ? { type: 'json_object' } : undefined;
}
