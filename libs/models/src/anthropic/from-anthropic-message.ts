import { type Part } from '@skein/contracts';
import { type LlmResponse } from '@skein/engine';
import { cameFrom } from '../request/part-origin';
import { argumentsOf } from '../reading/read-arguments';
import { calledName } from '../request/tool-names';
import { readMessage, type WireBlock } from './anthropic-wire';
import { fromAnthropicStop } from './from-anthropic-stop';
import { fromAnthropicUsage } from './from-anthropic-usage';

/** An answer that came in one piece. Throws `model.bad-answer` for one that is not in the API's form. */
export function fromAnthropicMessage(message: unknown): LlmResponse {
  const { content, usage, model, ...stop } = readMessage(message);
  const parts = content.flatMap(partsOf);
  const answer = {
    ...(parts.length > 0 ? { content: { role: 'model', parts } } : {}),
    ...fromAnthropicStop(stop),
    ...fromAnthropicUsage(usage),
    ...(model ? { modelVersion: model } : {}),
  };
  if (parts.length > 0 || stop.stop_reason) return answer;
  return { ...answer, errorCode: 'UNKNOWN_ERROR', errorMessage: 'The model gave no answer.' };
}

/** Blocks of tools on Anthropic's servers, and of kinds to come, are passed over: none of them was asked for. */
function partsOf(block: WireBlock): Part[] {
  switch (block.type) {
    case 'text':
      return block.text ? [{ text: block.text }] : [];
    case 'thinking':
      return thinkingOf(block);
    case 'redacted_thinking':
      return redactedThinking(block);
    case 'tool_use':
      return [{ functionCall: { ...calledBy(block), ...argumentsOf(block.input) } }];
    default:
      return [];
  }
}

/** Without an id the engine gives one. */
export function calledBy({ id, name }: WireBlock): { id?: string; name: string } {
  return { ...(id ? { id } : {}), name: calledName(name) };
}

function thinkingOf({ thinking, signature }: WireBlock): Part[] {
  if (signature) return [signedThinking(thinking ?? '', signature)];
  return thinking ? [{ text: thinking, thought: true }] : [];
}

export function signedThinking(text: string, thoughtSignature: string): Part {
  return { text, thought: true, thoughtSignature, ...cameFrom({ provider: 'anthropic' }) };
}

export function redactedThinking({ data }: WireBlock): Part[] {
  if (!data) return [];
  return [
    { thought: true, thoughtSignature: data, ...cameFrom({ provider: 'anthropic', isRedacted: true }) },
  ];
}
