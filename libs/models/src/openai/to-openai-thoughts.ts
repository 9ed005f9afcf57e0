import { type Part } from '@skein/contracts';
import { originOf } from '../request/part-origin';

/** What servers other than OpenAI's take back of a model's thoughts, each in the field that it gives them in. */
export interface SentThoughts {
  reasoning_content?: string;
  reasoning?: string;
  thinking_blocks?: { type: 'thinking'; thinking: string; signature: string }[];
}

/** The thoughts among the parts of one message; signed ones once more with their signatures. */
export function thoughtsOf(parts: readonly Part[]): SentThoughts {
  const thoughts = parts.filter(({ thought, functionCall }) => thought && !functionCall);
  const text = thoughts.map((part) => part.text ?? '').join('');
  if (!text) return {};
  const signed = thoughts.flatMap(({ text: thinking = '', thoughtSignature: signature }) =>
    signature ? [{ type: 'thinking' as const, thinking, signature }] : [],
  );
  return {
    ...(thoughts.some(isUnusual) ? { reasoning: text } : { reasoning_content: text }),
    ...(signed.length > 0 ? { thinking_blocks: signed } : {}),
  };
}

function isUnusual(part: Part): boolean {
  return originOf(part)?.reasoningField !== undefined;
}
