import type { Candidate, Part } from '@google/genai';
import { type GeminiResponse } from './from-gemini-response';

/** A streamed answer put together again: parts in the order they came, each run of text (or of thought) as one part. */
export class GeminiAnswer {
  readonly #parts: Part[] = [];
  #candidate: Candidate | undefined;
  #about: GeminiResponse = {};

  /** Later chunks win in all but the parts: the finish reason and the final usage come last. */
  add(chunk: GeminiResponse): void {
    const { candidates, promptFeedback, usageMetadata, modelVersion } = chunk;
    this.#about = {
      ...this.#about,
      ...(promptFeedback ? { promptFeedback } : {}),
      ...(usageMetadata ? { usageMetadata } : {}),
      ...(modelVersion ? { modelVersion } : {}),
    };
    const candidate = candidates?.[0];
    if (!candidate) return;
    this.#candidate = { ...this.#candidate, ...candidate };
    for (const part of candidate.content?.parts ?? []) this.#addPart(part);
  }

  /** The answer as if it had come in one piece. */
  get whole(): GeminiResponse {
    if (!this.#candidate) return this.#about;
    const content = { role: 'model', parts: this.#parts };
    return { ...this.#about, candidates: [{ ...this.#candidate, content }] };
  }

  #addPart(part: Part): void {
    const last = this.#parts.at(-1);
    if (last && continues(last, part)) {
      this.#parts[this.#parts.length - 1] = {
        ...last,
        ...part,
        text: `${last.text ?? ''}${part.text ?? ''}`,
      };
    } else {
      this.#parts.push(part);
    }
  }
}

/** A signature closes its part: what comes after is not covered by it. */
function continues(last: Part, part: Part): boolean {
  const bothText = last.text !== undefined && part.text !== undefined;
  return bothText && Boolean(last.thought) === Boolean(part.thought) && !last.thoughtSignature;
}
