import type {
  CacheControlEphemeral,
  MessageCreateParamsBase,
  MessageParam,
  OutputConfig,
  TextBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import { AdkError } from '@skein/contracts';
import { fromGenaiSchema, type LlmRequest, readContents } from '@skein/engine';
import { ToolNames } from '../request/tool-names';
import { type AnthropicConfig, readAnthropicConfig } from './anthropic-config';
import { toAnthropicMessages } from './to-anthropic-messages';
import {
  type AnthropicThinking,
  isAmidCallsWithoutThinking,
  LEAST_BUDGET,
  toAnthropicThinking,
} from './to-anthropic-thinking';
import { type AnthropicTools, toAnthropicTools } from './to-anthropic-tools';

/** How long the provider keeps the beginning of a conversation that comes again. */
export type AnthropicCacheTtl = '5m' | '1h';

export interface AnthropicDefaults {
  /** Tokens of an answer where the request sets no limit: the API demands one. */
  readonly maxTokens: number;
  readonly cache?: AnthropicCacheTtl | undefined;
}

export interface AnthropicRequest {
  readonly parameters: MessageCreateParamsBase;
  /** How its tools are named there, for the answer's calls. */
  readonly names: ToolNames;
}

const MAX_TOOL_NAME = 128;

/**
 * A model request as the Messages API takes it; the request is left as it is. `temperature`, `topP` and `topK` are not
 * sent: since version 2026-10-21 the API refuses them, whatever their value.
 */
export function toAnthropicRequest(
  request: LlmRequest,
  model: string,
  { maxTokens, cache }: AnthropicDefaults,
): AnthropicRequest {
  const config = readAnthropicConfig(request.config);
  const declared = (config.tools ?? []).flatMap(({ functionDeclarations = [] }) => functionDeclarations);
  const names = new ToolNames(
    declared.map(({ name }) => name),
    MAX_TOOL_NAME,
  );
  const messages = toAnthropicMessages(readContents(request), names);
  const tools = toAnthropicTools(config, names);
  const thinking = thinkingFor(config, model, { tools, messages });
  const limit = config.maxOutputTokens ?? maxTokens + thinking.budget;
  const mark: CacheControlEphemeral | undefined = cache && { type: 'ephemeral', ttl: cache };
  const parameters = {
    model,
    max_tokens: limit,
    messages,
    ...systemOf(config, mark),
    ...tools,
    ...thinkingOf(thinking, limit),
    ...outputOf(config, thinking),
    ...(config.stopSequences?.length ? { stop_sequences: config.stopSequences } : {}),
    // Marks the end of the conversation, so that the next turn finds all of it.
    ...(mark ? { cache_control: mark } : {}),
  };
  return { parameters, names };
}

/** Marked on its own, tools and instruction are found by other conversations of the agent as well. */
function systemOf(
  { systemInstruction: text }: AnthropicConfig,
  mark: CacheControlEphemeral | undefined,
): { system?: TextBlockParam[] } {
  if (!text?.trim()) return {};
  return { system: [{ type: 'text', text, ...(mark ? { cache_control: mark } : {}) }] };
}

interface Asked {
  readonly tools: AnthropicTools;
  readonly messages: readonly MessageParam[];
}

/** As much as the author wants, where the API lets it be beside what else is asked. */
function thinkingFor(config: AnthropicConfig, model: string, { tools, messages }: Asked): AnthropicThinking {
  const { maxOutputTokens: limit = Infinity, thinkingConfig } = config;
  const { thinking, effort, budget } = toAnthropicThinking(thinkingConfig, model);
  const without = { ...(effort ? { effort } : {}), budget: 0 };
  const isForced = tools.tool_choice?.type === 'any' || tools.tool_choice?.type === 'tool';
  if (isForced && thinking?.type !== 'disabled') return without;
  if (thinking?.type !== 'enabled') return { thinking, ...without, budget };
  if (isAmidCallsWithoutThinking(messages)) return without;
  if (limit > LEAST_BUDGET) return { thinking, budget };
  if ((thinkingConfig?.thinkingBudget ?? 0) <= 0) return without;
  const message = `${model} thinks with at least ${LEAST_BUDGET} tokens, which count towards maxOutputTokens: set it above ${LEAST_BUDGET}, or thinkingBudget to 0.`;
  throw new AdkError('invalid', 'model.bad-config', message);
}

/** A budget has to leave something of the limit to the answer. */
function thinkingOf(
  { thinking }: AnthropicThinking,
  limit: number,
): Pick<MessageCreateParamsBase, 'thinking'> {
  if (thinking?.type !== 'enabled') return thinking ? { thinking } : {};
  return { thinking: { ...thinking, budget_tokens: Math.min(thinking.budget_tokens, limit - 1) } };
}

function outputOf(config: AnthropicConfig, { effort }: AnthropicThinking): { output_config?: OutputConfig } {
  const { responseJsonSchema, responseSchema } = config;
  const schema = responseJsonSchema ?? (responseSchema && fromGenaiSchema(responseSchema));
  if (!schema && !effort) return {};
  return {
    output_config: {
      ...(effort ? { effort } : {}),
      // What the API cannot hold an answer to, as a least length, goes into the schema's description.
      ...(schema ? { format: { type: 'json_schema', schema: transformJSONSchema(schema) } } : {}),
    },
  };
}
