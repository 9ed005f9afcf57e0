import { type Part } from '@skein/contracts';
import { hasText } from './visible-part';

/** A part as one sentence about its author, for somebody else's eyes; nothing for what has no such sentence (B4). */
export function describePart(author: string, part: Part, includeThoughts = false): string | undefined {
  const { functionCall, functionResponse } = part;
  if (functionCall) {
    return `[${author}] called tool \`${functionCall.name}\` with parameters: ${toJson(functionCall.args)}`;
  }
  if (functionResponse) {
    return `[${author}] \`${functionResponse.name}\` tool returned result: ${toJson(functionResponse.response)}`;
  }
  if (!hasText(part)) return undefined;
  if (!part.thought) return `[${author}] said: ${part.text}`;
  return includeThoughts ? `[${author}] thought: ${part.text}` : undefined;
}

function toJson(value: unknown): string {
  return JSON.stringify(value ?? {});
}
