import { AdkError, type FunctionCall, type Part } from '@skein/contracts';
import { jsonEquals } from '../json/json-equals';
import { type LlmResponse } from './llm-response';
import { StreamedCall } from './streamed-call';

/** Each call is compared with all before it. */
const MAX_PARTS = 10_000;
const GOOD_ENDS: ReadonlySet<string> = new Set(['STOP', 'FINISH_REASON_UNSPECIFIED']);

/** Each piece of a streamed answer as it comes, then the whole answer, which alone is stored and acted on (B17, B19). */
export async function* aggregateStream(
  pieces: AsyncIterable<LlmResponse>,
): AsyncGenerator<LlmResponse, void> {
  const aggregator = new StreamAggregator();
  for await (const piece of pieces) {
    const shown = aggregator.add(piece);
    if (shown) yield shown;
  }
  yield aggregator.whole();
}

/**
 * Puts a streamed answer together: parts in the order they came, each run of text, or of thought, as one part, calls
 * whole; of what is said about the answer the last word.
 */
export class StreamAggregator {
  readonly #parts: Part[] = [];
  #about: LlmResponse = {};
  #open: StreamedCall | undefined;

  /**
   * Takes the next piece; answers it as it may be shown, or nothing when there is nothing to show. Throws
   * `model.too-large` for more parts than can be compared, and `model.bad-answer` for arguments in no place.
   */
  add(piece: LlmResponse): LlmResponse | undefined {
    const { content, ...about } = piece;
    this.#about = { ...this.#about, ...present(about) };
    const shown = (content?.parts ?? [])
      .map((part) => this.#addPart(part))
      .filter((part) => part !== undefined);
    return shown.length > 0
      ? { ...piece, content: { role: 'model', ...content, parts: shown }, partial: true }
      : undefined;
  }

  /** The answer as if it had come in one piece. Throws `model.truncated` when it broke off within a call. */
  whole(): LlmResponse {
    const { partial: _partial, ...about } = this.#about;
    if (this.#open && !about.finishReason) {
      throw new AdkError('unavailable', 'model.truncated', "The model's answer broke off within a call.");
    }
    this.#closeCall();
    return {
      ...about,
      ...endError(about),
      ...(this.#parts.length > 0 ? { content: { role: 'model', parts: [...this.#parts] } } : {}),
    };
  }

  /** Answers the part as it may be shown. */
  #addPart(part: Part): Part | undefined {
    if (part.functionCall) return this.#addCall(part, part.functionCall);
    if (part.text === '' && !part.thoughtSignature) return undefined;
    this.#closeCall();
    const last = this.#parts.at(-1);
    if (last && continues(last, part)) {
      this.#parts[this.#parts.length - 1] = {
        ...last,
        ...part,
        text: `${last.text ?? ''}${part.text ?? ''}`,
      };
    } else {
      this.#keep(part);
    }
    return part;
  }

  #addCall(part: Part, call: Partial<FunctionCall>): Part | undefined {
    if (this.#open && !this.#open.isContinuedBy(call)) this.#closeCall();
    if (!this.#open && !StreamedCall.isBegunBy(call)) {
      // A call without a name ends a row of pieces, and says nothing itself.
      if (call.name) this.#push(part);
      return call.name ? part : undefined;
    }
    this.#open ??= new StreamedCall(part);
    const shown = { ...part, functionCall: this.#open.add(call) };
    if (!call.willContinue) this.#closeCall();
    return shown;
  }

  #closeCall(): void {
    if (this.#open) this.#push(this.#open.part);
    this.#open = undefined;
  }

  /** A call that comes a second time must not run a second time; one that only has another's id is its own. */
  #push(part: Part): void {
    const { functionCall } = part;
    const isRepeated =
      functionCall?.id !== undefined &&
      this.#parts.some((other) => other.functionCall && isSameCall(other.functionCall, functionCall));
    if (!isRepeated) this.#keep(part);
  }

  #keep(part: Part): void {
    if (this.#parts.length === MAX_PARTS) {
      const message = `The model's answer holds more than ${MAX_PARTS} parts.`;
      throw new AdkError('invalid', 'model.too-large', message);
    }
    this.#parts.push(part);
  }
}

function isSameCall(one: FunctionCall, other: FunctionCall): boolean {
  return one.id === other.id && one.name === other.name && jsonEquals(one.args ?? {}, other.args ?? {});
}

/** A later piece that leaves a field out says nothing about it. */
function present(about: LlmResponse): LlmResponse {
  return Object.fromEntries(
    Object.entries(about).filter(([, value]: [string, unknown]) => value !== undefined),
  );
}

/** A signature closes its part: what comes after is not covered by it. */
function continues(last: Part, part: Part): boolean {
  const bothText = last.text !== undefined && part.text !== undefined;
  return bothText && Boolean(last.thought) === Boolean(part.thought) && !last.thoughtSignature;
}

/** An answer that ended early is told as an error, with what there is of it (B18). */
function endError({ finishReason, errorCode }: LlmResponse): Pick<LlmResponse, 'errorCode' | 'errorMessage'> {
  if (errorCode || !finishReason || GOOD_ENDS.has(finishReason)) return {};
  const errorMessage =
    finishReason === 'MAX_TOKENS'
      ? 'The answer was cut: it reached the limit of tokens.'
      : `The model ended its answer early: ${finishReason}.`;
  return { errorCode: finishReason, errorMessage };
}
