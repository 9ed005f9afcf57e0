import { BaseLlm, type LlmRequest, type LlmResponse, ScriptedLlm, type ScriptedResponse } from '@skein/adk';

/** One list for the only agent there is, or a list for each agent by its name. */
export type Script = readonly ScriptedResponse[] | Readonly<Record<string, readonly ScriptedResponse[]>>;

/** A model that says what its script says, answer for answer, and keeps what it was asked. */
export class RecordingLlm extends BaseLlm {
  /** What it was asked so far, in order, as it was asked: later changes are not in it. */
  readonly requests: LlmRequest[] = [];
  readonly #script: Script;

  constructor(script: Script) {
    super({ model: 'scripted' });
    this.#script = script;
  }

  /** The request it was asked last. Throws when it was asked nothing. */
  get lastRequest(): LlmRequest {
    const last = this.requests.at(-1);
    if (!last) throw new Error('The model was asked nothing.');
    return last;
  }

  override async *generateContentAsync(
    request: LlmRequest,
    stream?: boolean,
    abortSignal?: AbortSignal,
  ): AsyncGenerator<LlmResponse, void> {
    const { contents, config } = request;
    this.requests.push({ ...request, contents: structuredClone(contents), config: { ...config } });
    yield* this.#modelFor(request.origin?.agentName ?? '').generateContentAsync(request, stream, abortSignal);
  }

  #modelFor(agentName: string): ScriptedLlm {
    if (isList(this.#script)) return new ScriptedLlm({ responses: this.#script });
    return new ScriptedLlm({ responses: this.#script[agentName] ?? [], name: `scripted for ${agentName}` });
  }
}

/** A model with this script: `scripted([calls('roll_die'), says('A four.')])`. */
export function scripted(script: Script): RecordingLlm {
  return new RecordingLlm(script);
}

function isList(script: Script): script is readonly ScriptedResponse[] {
  return Array.isArray(script);
}
