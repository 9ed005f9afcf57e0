import { type MemoryEntry, type RememberedEvent } from '@skein/contracts';

/** More memories than these help no model; the newest are kept. */
export const MAX_MEMORIES = 100;

const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
/** In characters. A longer run of letters is no word of a language; it counts by its beginning, and fits an index. */
const MAX_WORD_LENGTH = 128;

/** An event as memory keeps it, and the words it is found by. */
export interface Remembered {
  readonly entry: MemoryEntry;
  readonly words: ReadonlySet<string>;
}

/** The words of a text as memory compares them: runs of letters, digits and `_`, in lower case (B61). */
export function wordsOf(text: string): Set<string> {
  return new Set(
    Array.from(text.matchAll(WORD), ([word]) =>
      Array.from(word.toLowerCase()).slice(0, MAX_WORD_LENGTH).join(''),
    ),
  );
}

/** What memory keeps of an event; nothing of one that says no word. */
export function rememberEvent({ author, content, timestamp }: RememberedEvent): Remembered | undefined {
  const texts = (content?.parts ?? []).flatMap(({ text }) => (text ? [text] : []));
  const words = wordsOf(texts.join(' '));
  if (!content || words.size === 0) return undefined;
  return { entry: { content, author, timestamp: new Date(timestamp * 1000).toISOString() }, words };
}
