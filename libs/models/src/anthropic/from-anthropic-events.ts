import type {
  RawContentBlockDelta,
  RawContentBlockStartEvent,
  RawMessageStreamEvent,
} from '@anthropic-ai/sdk/resources/messages';
import { AdkError, type Part } from '@skein/contracts';
import { type LlmResponse } from '@skein/engine';
import { readArguments } from '../provider/read-arguments';
import { argumentsOf, redactedThinking, signedThinking } from './from-anthropic-message';
import { type AnthropicStop, fromAnthropicStop } from './from-anthropic-stop';
import { type AnthropicUsage, fromAnthropicUsage } from './from-anthropic-usage';
import { readingAnthropic } from './reading-anthropic';

/**
 * A streamed answer in pieces: text and thoughts as they come, a call when it begins and again, with its arguments, when
 * it is whole. Throws `model.truncated` when the stream ends before the answer does, `model.bad-answer` for another form.
 */
export async function* fromAnthropicEvents(
  events: AsyncIterable<RawMessageStreamEvent>,
): AsyncGenerator<LlmResponse, void> {
  const reader = new EventReader();
  for await (const event of events) {
    const piece = readingAnthropic(() => reader.read(event));
    if (piece) yield piece;
  }
  reader.assertWhole();
}

interface OpenCall {
  readonly id: string;
  readonly name: string;
  /** Of servers that do not stream arguments. */
  readonly input: unknown;
  json: string;
}

class EventReader {
  readonly #calls = new Map<number, OpenCall>();
  #usage: AnthropicUsage = {};
  #isWhole = false;

  read(event: RawMessageStreamEvent): LlmResponse | undefined {
    switch (event.type) {
      case 'message_start':
        this.#usage = event.message.usage;
        return { modelVersion: event.message.model };
      case 'content_block_start':
        return saying(this.#begin(event));
      case 'content_block_delta':
        return saying(this.#continue(event.index, event.delta));
      case 'content_block_stop':
        return saying(this.#end(event.index));
      case 'message_delta':
        return this.#about(event.delta, event.usage);
      case 'message_stop':
        this.#isWhole = true;
        return undefined;
      default:
        // The vendor may add kinds of events.
        return undefined;
    }
  }

  assertWhole(): void {
    if (this.#isWhole) return;
    throw new AdkError('unavailable', 'model.truncated', "The model's answer broke off before it was whole.");
  }

  #begin({ index, content_block: block }: RawContentBlockStartEvent): Part | undefined {
    if (block.type === 'text') return { text: block.text };
    if (block.type === 'thinking') return { text: block.thinking, thought: true };
    if (block.type === 'redacted_thinking') return redactedThinking(block.data);
    if (block.type !== 'tool_use') return undefined;
    const { id, name, input } = block;
    this.#calls.set(index, { id, name, input, json: '' });
    return { functionCall: { id, name, willContinue: true } };
  }

  #continue(index: number, delta: RawContentBlockDelta): Part | undefined {
    if (delta.type === 'text_delta') return { text: delta.text };
    if (delta.type === 'thinking_delta') return { text: delta.thinking, thought: true };
    if (delta.type === 'signature_delta') return signedThinking('', delta.signature);
    const call = this.#calls.get(index);
    if (call && delta.type === 'input_json_delta') call.json += delta.partial_json;
    return undefined;
  }

  #end(index: number): Part | undefined {
    const call = this.#calls.get(index);
    if (!call) return undefined;
    this.#calls.delete(index);
    const { id, name, input, json } = call;
    // What was cut with its answer is no JSON either; such calls are dropped by the engine.
    return { functionCall: { id, name, ...(json.trim() === '' ? argumentsOf(input) : readArguments(json)) } };
  }

  #about(stop: AnthropicStop, usage: AnthropicUsage): LlmResponse {
    // Counts of the whole answer so far; what is null was told at the start.
    const told = Object.entries(usage).filter(([, count]) => count !== null);
    this.#usage = { ...this.#usage, ...Object.fromEntries(told) };
    return { ...fromAnthropicStop(stop), usageMetadata: fromAnthropicUsage(this.#usage) };
  }
}

function saying(part: Part | undefined): LlmResponse | undefined {
  return part && { content: { role: 'model', parts: [part] } };
}
