import { isEvent, isRecord } from './json';

/** What an element of a list is, in a line: an event, a content, a part, a request, or its JSON. */
export function lineOf(value: unknown): string {
  if (!isRecord(value)) return JSON.stringify(value);
  if ('author' in value && !isEvent(value)) return `by ${String(value.author)}`;
  if (isEvent(value)) return `${String(value.author)}${value.partial ? ' (partial)' : ''}: ${whatOf(value)}`;
  if ('parts' in value) return `${String(value.role)}: ${listed(value.parts)}`;
  if ('model' in value && 'contents' in value) return `request to ${String(value.model)}`;
  if ('name' in value) return String(value.name);
  if ('content' in value) return `no event: ${lineOf(value.content)}`;
  if ('events' in value) return 'turn';
  if ('functionDeclarations' in value) return 'declarations';
  return partLine(value) ?? JSON.stringify(value);
}

function whatOf(event: Readonly<Record<string, unknown>>): string {
  if (event.errorCode !== undefined) return 'error';
  return isRecord(event.content) ? listed(event.content.parts) : 'no content';
}

function listed(parts: unknown): string {
  return Array.isArray(parts) ? parts.map((part) => partLine(part) ?? 'a part').join(', ') : 'no parts';
}

function partLine(part: unknown): string | undefined {
  if (!isRecord(part)) return undefined;
  const { functionCall, functionResponse } = part;
  if (isRecord(functionCall)) return `call of ${String(functionCall.name)}`;
  if (isRecord(functionResponse)) return `response of ${String(functionResponse.name)}`;
  if (typeof part.text === 'string') return part.thought ? 'thought' : 'text';
  return Object.keys(part)[0];
}
