import type { ContentBlock, Message } from '@anthropic-ai/sdk/resources/messages';
import { type Part } from '@skein/contracts';
import { type LlmResponse } from '@skein/engine';
import { cameFrom } from '../provider/part-origin';
import { readArguments } from '../provider/read-arguments';
import { readingAnthropic } from './reading-anthropic';
import { fromAnthropicStop } from './from-anthropic-stop';
import { fromAnthropicUsage } from './from-anthropic-usage';

/** An answer that came in one piece. Throws `model.bad-answer` for one that is not in the API's form. */
export function fromAnthropicMessage(message: Message): LlmResponse {
  return readingAnthropic(() => {
    const parts = message.content.flatMap(partsOf);
    return {
      ...(parts.length > 0 ? { content: { role: 'model', parts } } : {}),
      ...fromAnthropicStop(message),
      usageMetadata: fromAnthropicUsage(message.usage),
      modelVersion: message.model,
    };
  });
}

/** Blocks of tools on Anthropic's servers are passed over: none of them was asked for. */
function partsOf(block: ContentBlock): Part[] {
  if (block.type === 'text') return block.text === '' ? [] : [{ text: block.text }];
  if (block.type === 'thinking') {
    return [signedThinking(block.thinking, block.signature)];
  }
  if (block.type === 'redacted_thinking') return [redactedThinking(block.data)];
  if (block.type !== 'tool_use') return [];
  return [{ functionCall: { id: block.id, name: block.name, ...argumentsOf(block.input) } }];
}

/** Servers of others than Anthropic may write anything. */
export function argumentsOf(input: unknown): ReturnType<typeof readArguments> {
  return readArguments(isObject(input) || typeof input === 'string' ? input : JSON.stringify(input ?? null));
}

function isObject(input: unknown): input is Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}

export function signedThinking(text: string, thoughtSignature: string): Part {
  return { text, thought: true, thoughtSignature, ...cameFrom({ provider: 'anthropic' }) };
}

export function redactedThinking(data: string): Part {
  return { thought: true, thoughtSignature: data, ...cameFrom({ provider: 'anthropic', isRedacted: true }) };
}
