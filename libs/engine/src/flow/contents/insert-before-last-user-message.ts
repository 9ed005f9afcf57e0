import { type Content } from '@skein/contracts';
import { CONTEXT_HEADER } from './convert-foreign';

/**
 * Contents with RunConfig's `modelInputContext` before what the user said last: known to this request alone, stored
 * nowhere (B12). Where the user said nothing it comes first.
 */
export function insertBeforeLastUserMessage(
  contents: readonly Content[],
  contextContents: readonly Content[],
): readonly Content[] {
  if (contextContents.length === 0) return contents;
  const index = Math.max(contents.findLastIndex(isUserMessage), 0);
  return contents.toSpliced(index, 0, ...contextContents);
}

/** Responses and what other agents did are in the user's role too, but nobody's message. */
function isUserMessage({ role, parts = [] }: Content): boolean {
  if (role !== 'user' || parts[0]?.text === CONTEXT_HEADER) return false;
  return !parts.some(({ functionResponse }) => functionResponse);
}
