import { BaseLlm, LLMRegistry, type LlmRequest, type LlmResponse } from '@google/adk';

/** An answer, the pieces of a streamed one with the whole of it last, or what the model throws, after some pieces. */
export type Answer =
  LlmResponse | readonly LlmResponse[] | { readonly throws: string; readonly after?: readonly LlmResponse[] };
/** The answers of each model, in order. */
export type Script = Readonly<Record<string, readonly Answer[]>>;

/** What a model was sent, as far as both libraries have it. */
export interface Asked {
  readonly model: string;
  readonly contents: unknown;
  readonly config: unknown;
}

let remaining = new Map<string, Answer[]>();
let asked: Asked[] = [];

/** Models named `scripted-…`, in whichever library the import of this file found. */
class FromList extends BaseLlm {
  static override readonly supportedModels = [/scripted-.*/];

  override async *generateContentAsync(
    request: LlmRequest,
    stream = false,
  ): AsyncGenerator<LlmResponse, void> {
    const { contents, config } = request;
    asked.push(structuredClone({ model: this.model, contents, config }));
    const answer = remaining.get(this.model)?.shift();
    if (!answer) throw new Error(`The script of ${this.model} has no more answers.`);
    if ('throws' in answer) {
      yield* structuredClone(answer.after ?? []);
      throw new Error(answer.throws);
    }
    const pieces = isPieces(answer) ? answer : [answer];
    // Copied, for both libraries put ids into what they are given.
    yield* structuredClone(stream ? pieces : pieces.slice(-1));
  }

  async connect(): Promise<never> {
    throw new Error('There is no live connection to a list.');
  }
}

LLMRegistry.register(FromList);

/** Begins a script; what was asked before is forgotten. */
export function beginScript(script: Script): void {
  remaining = new Map(Object.entries(script).map(([model, answers]) => [model, [...answers]]));
  asked = [];
}

/** What models were asked since the script began. */
export function askedSoFar(): readonly Asked[] {
  return asked;
}

function isPieces(answer: Answer): answer is readonly LlmResponse[] {
  return Array.isArray(answer);
}
