import { type Content, type Part } from '@skein/contracts';

/**
 * What Google names for calls whose signature nobody has, since another model or an author made them:
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
const STAND_IN = 'skip_thought_signature_validator';

/** Contents as Gemini 3 and later take them: of each step the first call has a signature, be it a stand-in. */
export function signCalls(contents: readonly Content[], model: string): Content[] {
  if (!needsSignatures(model)) return [...contents];
  return contents.map((content) => ({
    ...content,
    ...(content.parts ? { parts: signFirst(content.parts) } : {}),
  }));
}

function needsSignatures(model: string): boolean {
  return Number(/gemini-(\d+)/.exec(model)?.[1] ?? 0) >= 3;
}

function signFirst(parts: readonly Part[]): Part[] {
  const first = parts.find(({ functionCall }) => functionCall);
  return parts.map((part) =>
    part === first && !part.thoughtSignature ? { ...part, thoughtSignature: STAND_IN } : part,
  );
}
