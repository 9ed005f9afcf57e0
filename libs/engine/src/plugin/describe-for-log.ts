import { type Content, type Part } from '@skein/contracts';
import { describeError } from '../error/describe-error';

const MAX_TEXT = 200;
const MAX_VALUE = 300;

/** A content in a few words, part by part. */
export function describeContent(content: Content | undefined): string {
  return (content?.parts ?? []).map(describePart).join(' + ');
}

/** A value as JSON, shortened; a text as it is. A tool may hand out what has no JSON form. */
export function describeValue(value: unknown): string {
  if (value === undefined) return '';
  try {
    return shortened(typeof value === 'string' ? value : JSON.stringify(value), MAX_VALUE);
  } catch (error) {
    return `(${describeError(error)})`;
  }
}

function describePart(part: Part): string {
  if (part.text !== undefined)
    return `${part.thought ? 'thought' : 'text'} '${shortened(part.text, MAX_TEXT)}'`;
  if (part.functionCall) return `call ${part.functionCall.name}`;
  if (part.functionResponse) return `response ${part.functionResponse.name}`;
  return Object.keys(part).join(', ');
}

/** On one line, whatever was said. */
function shortened(text: string, maxLength: number): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
}
