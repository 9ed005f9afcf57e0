import { type Part } from '@skein/contracts';

/**
 * Whether a part tells the model something. A thought or white space alone does not, but a call, a response or code
 * does always, also where the model flagged it as thought (B2).
 */
export function isVisiblePart(part: Part, includeThoughts = false): boolean {
  if (isAct(part)) return true;
  if (part.thought && !includeThoughts) return false;
  return hasText(part) || hasOtherPayload(part);
}

/** What was done rather than said. */
export function isAct(part: Part): boolean {
  return Boolean(
    part.functionCall ?? part.functionResponse ?? part.executableCode ?? part.codeExecutionResult,
  );
}

export function hasText(part: Part): boolean {
  return part.text !== undefined && part.text.trim() !== '';
}

/** Fields that say how a part came about, not what it holds. */
const NO_PAYLOAD = new Set(['text', 'thought', 'thoughtSignature']);

/** Media, or what a newer neighbour knows and we do not. */
function hasOtherPayload(part: Part): boolean {
  return Object.entries(part).some(([field, value]) => value !== undefined && !NO_PAYLOAD.has(field));
}
