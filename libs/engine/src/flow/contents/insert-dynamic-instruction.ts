import { type Content } from '@skein/contracts';

/**
 * Contents with an instruction that changes from turn to turn before the user's last words in a row, and after any
 * function response: so the prefix that a provider may cache stays the same, and call and response stay together (B12).
 */
export function insertDynamicInstruction(
  contents: readonly Content[],
  instructions: readonly Content[],
): readonly Content[] {
  if (instructions.length === 0) return contents;
  const index = contents.findLastIndex((content) => content.role !== 'user' || hasResponse(content)) + 1;
  return contents.toSpliced(index, 0, ...instructions);
}

function hasResponse({ parts = [] }: Content): boolean {
  return parts.some(({ functionResponse }) => functionResponse);
}
