import type { ContentBlockParam } from '@anthropic-ai/sdk/resources/messages';
import { type Part } from '@skein/contracts';
import { originOf } from '../request/part-origin';
import { toAnthropicMedia } from './to-anthropic-media';
import { unsupportedPart } from '../request/unsupported-part';

export type AnthropicRole = 'user' | 'assistant';

/** A part that is no call and no response, as Claude takes it; nothing for one that says nothing to it. */
export function toAnthropicBlock(part: Part, role: AnthropicRole): ContentBlockParam | undefined {
  if (part.thought) return role === 'assistant' ? thinking(part) : undefined;
  if (part.text !== undefined) return text(part.text);
  if (part.executableCode) return text(fenced('python', part.executableCode.code));
  if (part.codeExecutionResult) return text(fenced('output', part.codeExecutionResult.output));
  if (part.inlineData ?? part.fileData) {
    // In an assistant's message the API refuses media; that there was some is part of what was said.
    return role === 'user' ? toAnthropicMedia(part) : text(`[${mimeTypeOf(part)}]`);
  }
  const [unknown] = Object.entries(part).flatMap(([key, value]) => (isPayload(key, value) ? [key] : []));
  if (unknown === undefined) return undefined;
  throw unsupportedPart('Claude', `part of the kind "${unknown}"`);
}

/** Without a signature of Claude's a thought is refused, and told as speech it would be what it was not. */
function thinking(part: Part): ContentBlockParam | undefined {
  const { text: thought = '', thoughtSignature } = part;
  const origin = originOf(part);
  if (!thoughtSignature || origin?.provider !== 'anthropic') return undefined;
  return origin.isRedacted
    ? { type: 'redacted_thinking', data: thoughtSignature }
    : { type: 'thinking', thinking: thought, signature: thoughtSignature };
}

/** The API refuses text that is white space alone. */
function text(words: string): ContentBlockParam | undefined {
  return words.trim() === '' ? undefined : { type: 'text', text: words };
}

function fenced(language: string, code = ''): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}

function mimeTypeOf({ inlineData, fileData }: Part): string {
  return inlineData?.mimeType ?? fileData?.mimeType ?? 'file';
}

/** Fields that say how a part came about, not what it holds. */
const NO_PAYLOAD: ReadonlySet<string> = new Set([
  'thought',
  'thoughtSignature',
  'partMetadata',
  'videoMetadata',
]);

function isPayload(key: string, value: unknown): boolean {
  return value !== undefined && value !== null && !NO_PAYLOAD.has(key);
}
