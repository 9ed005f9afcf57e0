import { type FunctionCall, type JsonValue, type Part } from '@skein/contracts';
import { addPartialArg, type PartialArg } from './partial-args';

/** A call whose arguments come in pieces. */
export class StreamedCall {
  readonly #first: Part;
  #args: Record<string, JsonValue> = {};
  #name = '';
  #id: string | undefined;
  #malformedArgs: string | undefined;

  /** Whether a call comes in pieces, and this is the first. */
  static isBegunBy(call: Partial<FunctionCall>): boolean {
    return Boolean(call.name) && (piecesOf(call).length > 0 || call.willContinue === true);
  }

  constructor(first: Part) {
    this.#first = first;
  }

  /** Whether a piece may belong to this call: it names no other one. */
  isContinuedBy({ name, id }: Partial<FunctionCall>): boolean {
    const isOtherName = Boolean(name) && name !== this.#name;
    const isOtherId = id !== undefined && this.#id !== undefined && id !== this.#id;
    return !isOtherName && !isOtherId;
  }

  /** Takes a piece; answers it with the call's name and id, which the first piece alone has. */
  add(call: Partial<FunctionCall>): FunctionCall {
    if (call.name) this.#name = call.name;
    this.#id = call.id ?? this.#id;
    this.#malformedArgs = call.malformedArgs ?? this.#malformedArgs;
    // JSON of a provider, as the schema of events says of it.
    this.#args = { ...this.#args, ...(call.args as Record<string, JsonValue> | undefined) };
    for (const piece of piecesOf(call)) addPartialArg(this.#args, piece);
    return { ...call, ...this.#identity };
  }

  /** The call as far as it came. */
  get part(): Part {
    const malformed = this.#malformedArgs === undefined ? {} : { malformedArgs: this.#malformedArgs };
    return { ...this.#first, functionCall: { ...this.#identity, args: this.#args, ...malformed } };
  }

  get #identity(): FunctionCall {
    return { name: this.#name, ...(this.#id === undefined ? {} : { id: this.#id }) };
  }
}

function piecesOf({ partialArgs }: Partial<FunctionCall>): readonly PartialArg[] {
  // In the provider's own form; what is missing of it is passed over.
  return Array.isArray(partialArgs) ? (partialArgs as PartialArg[]) : [];
}
