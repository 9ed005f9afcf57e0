import { type Content } from '@skein/contracts';

const NOTHING_SAID = 'Handle the requests as specified in the System Instruction.';
const MODEL_SAID_LAST =
  'Continue processing previous requests as instructed. Exit or provide a summary if no more outputs are needed.';

/** A conversation as providers take it: they refuse one that is empty or that the model ends (B14). */
export function withUserLast(contents: readonly Content[]): readonly Content[] {
  if (contents.length === 0) return [userText(NOTHING_SAID)];
  return contents.at(-1)?.role === 'user' ? contents : [...contents, userText(MODEL_SAID_LAST)];
}

function userText(text: string): Content {
  return { role: 'user', parts: [{ text }] };
}
