import { inPieces, type Said, type SaidPart } from '../provider-dialect';

/** The parts of an answer, chunk by chunk: a text is cut into several when it is streamed, a call comes whole. */
export function candidateParts({ parts }: Said, isStreamed = false): readonly (readonly object[])[] {
  return parts.flatMap((part) => chunksOf(part, isStreamed));
}

function chunksOf(part: SaidPart, isStreamed: boolean): readonly (readonly object[])[] {
  if ('text' in part) return pieces(part.text, isStreamed).map((text) => [{ text }]);
  if ('thought' in part) {
    const texts = pieces(part.thought, isStreamed);
    return texts.map((text, n) => [
      {
        text,
        thought: true,
        ...(n === texts.length - 1 && part.signature ? { thoughtSignature: part.signature } : {}),
      },
    ]);
  }
  const { id, name, args, argsText } = part.call;
  const given = argsText === undefined ? (args ?? {}) : { argsText };
  return [[{ functionCall: { ...(id === undefined ? {} : { id }), name, args: given } }]];
}

function pieces(text: string, isStreamed: boolean): readonly string[] {
  return isStreamed ? inPieces(text) : [text];
}

export function usageOf({ usage = { input: 4, output: 3 } }: Said): object {
  const { input, output, cached } = usage;
  return {
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: input + output,
    ...(cached === undefined ? {} : { cachedContentTokenCount: cached }),
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: input }],
  };
}
