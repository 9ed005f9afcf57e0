import type { GenerateContentConfig } from '@google/genai';
import { type LlmRequest, readContents } from '@skein/engine';
import type {
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { ToolNames } from '../request/tool-names';
import { isOpenAIs } from './openai-address';
import { toOpenAIMessages } from './to-openai-messages';
import { type OpenAILack } from './to-openai-part';
import { toOpenAISettings } from './to-openai-settings';
import { declarationsOf, toOpenAITools } from './to-openai-tools';

export type OpenAICacheRetention = 'in_memory' | '24h';

/** https://platform.openai.com/docs/guides/prompt-caching */
export interface OpenAICache {
  readonly key: string | undefined;
  readonly retention: OpenAICacheRetention | undefined;
}

export interface OpenAICall {
  /** As an author gave it: `openai/` before it names the adapter, not the model. */
  readonly model: string;
  readonly baseUrl: string | undefined;
  readonly stream: boolean;
  readonly cache?: OpenAICache;
  readonly lacks?: readonly OpenAILack[] | undefined;
}

export interface OpenAIRequest {
  readonly body: ChatCompletionCreateParams;
  /** What tools go by in the answer. */
  readonly names: ToolNames;
}

/** OpenAI's limit; servers of one's own may pass a request on to it. */
const MAX_NAME_LENGTH = 64;

/** A model request as one of the Chat Completions API, field by field; the request is left as it is. */
export function toOpenAIRequest(request: LlmRequest, call: OpenAICall): OpenAIRequest {
  const isOpenAI = isOpenAIs(call.baseUrl);
  // The settings are google-genai's, by name and by type.
  const config = request.config as GenerateContentConfig;
  const declarations = declarationsOf(config);
  const names = new ToolNames(
    declarations.map(({ name }) => name),
    MAX_NAME_LENGTH,
  );
  const messages = toOpenAIMessages(readContents(request), { names, isOpenAI, lacks: call.lacks ?? [] });
  const settings = toOpenAISettings(config, isOpenAI);
  const instruction = textOf(config.systemInstruction);
  const isAnyJson = settings.response_format?.type === 'json_object';
  const system = isAnyJson ? askingForJson(instruction, messages) : instruction;
  const body = {
    model: call.model.replace(/^openai\//, ''),
    messages: [...(system ? [{ role: 'system' as const, content: system }] : []), ...messages],
    ...toOpenAITools(declarations, config, names),
    ...settings,
    ...cacheOf(call),
    ...(call.stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  };
  return { body, names };
}

function cacheOf({ cache }: OpenAICall): Pick<ChatCompletionCreateParams, CacheFields> {
  return {
    ...(cache?.key ? { prompt_cache_key: cache.key } : {}),
    // The SDK's type has a hyphen there, which the API does not take: https://github.com/openai/openai-python/commit/f9d2d135
    ...(cache?.retention ? { prompt_cache_retention: cache.retention as '24h' } : {}),
  };
}

type CacheFields = 'prompt_cache_key' | 'prompt_cache_retention';

/** OpenAI refuses to make JSON of no schema that nobody asked for in words. */
function askingForJson(instruction: string, messages: readonly ChatCompletionMessageParam[]): string {
  if (/json/i.test(instruction + JSON.stringify(messages))) return instruction;
  return instruction ? `${instruction}\n\n${JSON_SENTENCE}` : JSON_SENTENCE;
}

const JSON_SENTENCE = 'Answer with a JSON object.';

/** The engine gives a text; callbacks and plugins may put there what google-genai takes as well. */
function textOf(given: unknown): string {
  if (typeof given === 'string') return given;
  if (Array.isArray(given)) return given.map(textOf).join('\n');
  if (typeof given !== 'object' || given === null) return '';
  if ('parts' in given) return textOf(given.parts);
  return 'text' in given ? textOf(given.text) : '';
}
