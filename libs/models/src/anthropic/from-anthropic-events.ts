import { AdkError, type Part } from '@skein/contracts';
import { type LlmResponse } from '@skein/engine';
import { argumentsOf, readArguments } from '../reading/read-arguments';
import {
  readEvent,
  type WireBlock,
  type WireDelta,
  type WireEvent,
  type WireStop,
  type WireUsage,
} from './anthropic-wire';
import { calledBy, redactedThinking, signedThinking } from './from-anthropic-message';
import { fromAnthropicStop } from './from-anthropic-stop';
import { fromAnthropicUsage } from './from-anthropic-usage';

/**
 * A streamed answer in pieces: text and thoughts as they come, a call when it begins and again, with its arguments, when
 * it is whole. Throws `model.truncated` when the stream ends before the answer does, `model.bad-answer` for another form.
 */
export async function* fromAnthropicEvents(
  events: AsyncIterable<unknown>,
): AsyncGenerator<LlmResponse, void> {
  const reader = new EventReader();
  for await (const sent of events) {
    const event = readEvent(sent);
    const piece = event && reader.read(event);
    if (piece) yield piece;
  }
  reader.assertWhole();
}

interface OpenCall {
  readonly called: ReturnType<typeof calledBy>;
  /** Of servers that do not stream arguments. */
  readonly input: unknown;
  json: string;
}

class EventReader {
  readonly #calls = new Map<number, OpenCall>();
  #usage: WireUsage | undefined;
  /** Blocks that have not ended. */
  readonly #open = new Set<number>();
  #isEnded = false;
  #isWhole = false;

  read(event: WireEvent): LlmResponse | undefined {
    switch (event.type) {
      case 'message_start':
        this.#count(event.message.usage);
        return event.message.model ? { modelVersion: event.message.model } : undefined;
      case 'content_block_start':
        this.#open.add(event.index ?? 0);
        return saying(this.#begin(event.index ?? 0, event.content_block));
      case 'content_block_delta':
        return saying(this.#continue(event.index ?? 0, event.delta));
      case 'content_block_stop':
        this.#open.delete(event.index ?? 0);
        return saying(this.#end(event.index ?? 0));
      case 'message_delta':
        this.#isEnded ||= Boolean(event.delta.stop_reason);
        return this.#about(event.delta, event.usage);
      case 'message_stop':
        this.#isWhole = true;
        // Of a server that does not say where a block ends.
        return saying([...this.#calls.keys()].flatMap((index) => this.#end(index)));
    }
  }

  assertWhole(): void {
    if (this.#isWhole || (this.#isEnded && this.#open.size === 0)) return;
    throw new AdkError('unavailable', 'model.truncated', "The model's answer broke off before it was whole.");
  }

  #begin(index: number, block: WireBlock): Part[] {
    const ended = this.#end(index);
    switch (block.type) {
      case 'text':
        return [...ended, ...text(block.text)];
      case 'thinking':
        return [...ended, ...thought(block.thinking)];
      case 'redacted_thinking':
        return [...ended, ...redactedThinking(block)];
      case 'tool_use': {
        const called = calledBy(block);
        this.#calls.set(index, { called, input: block.input, json: '' });
        return [...ended, { functionCall: { ...called, willContinue: true } }];
      }
      default:
        return ended;
    }
  }

  #continue(index: number, delta: WireDelta): Part[] {
    switch (delta.type) {
      case 'text_delta':
        return text(delta.text);
      case 'thinking_delta':
        return thought(delta.thinking);
      case 'signature_delta':
        return delta.signature ? [signedThinking('', delta.signature)] : [];
      case 'input_json_delta': {
        const call = this.#calls.get(index);
        if (call) call.json += delta.partial_json ?? '';
        return [];
      }
      default:
        return [];
    }
  }

  #end(index: number): Part[] {
    const call = this.#calls.get(index);
    if (!call) return [];
    this.#calls.delete(index);
    const { called, input, json } = call;
    // What was cut with its answer is no JSON either; such calls are dropped by the engine.
    return [{ functionCall: { ...called, ...(json.trim() ? readArguments(json) : argumentsOf(input)) } }];
  }

  #about(stop: WireStop, usage: WireUsage | null | undefined): LlmResponse {
    this.#count(usage);
    return { ...fromAnthropicStop(stop), ...fromAnthropicUsage(this.#usage) };
  }

  /** Counts of the whole answer so far; what is left out, or null, was told before. */
  #count(usage: WireUsage | null | undefined): void {
    if (!usage) return;
    const told = Object.entries(usage).filter(([, count]) => count !== null && count !== undefined);
    this.#usage = { ...this.#usage, ...Object.fromEntries(told) };
  }
}

function text(words: string | null | undefined): Part[] {
  return words ? [{ text: words }] : [];
}

function thought(words: string | null | undefined): Part[] {
  return words ? [{ text: words, thought: true }] : [];
}

function saying(parts: Part[]): LlmResponse | undefined {
  return parts.length > 0 ? { content: { role: 'model', parts } } : undefined;
}
