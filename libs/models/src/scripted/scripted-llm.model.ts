import { setTimeout as delay } from 'node:timers/promises';
import { BaseLlm, type LlmRequest, type LlmResponse } from '@skein/engine';
import { logRequest } from './request-log';
import { type ScriptedRule, answerByRule } from './scripted-rules';
import { type ScriptedResponse, stepsOf } from './scripted-response';

/** Either a list of answers, given in order, or rules that look at what was said last. */
export type ScriptedLlmParams = { readonly name?: string } & (
  { readonly responses: readonly ScriptedResponse[] } | { readonly rules: readonly ScriptedRule[] }
);

/**
 * A model that says what its script says. It keeps no state: a list is read at `request.ordinal`, the number of answers
 * this agent has stored in the session, so that a resumed run, in another process, goes on where it was.
 */
export class ScriptedLlm extends BaseLlm {
  readonly #params: ScriptedLlmParams;

  constructor(params: ScriptedLlmParams) {
    super({ model: params.name ?? 'scripted' });
    this.#params = params;
  }

  override async *generateContentAsync(
    request: LlmRequest,
    stream = false,
    abortSignal?: AbortSignal,
  ): AsyncGenerator<LlmResponse, void> {
    await logRequest(request);
    const steps = await this.#steps(request, stream);
    for (const [index, { delayMs, response }] of steps.entries()) {
      abortSignal?.throwIfAborted();
      if (delayMs > 0) await delay(delayMs, undefined, abortSignal ? { signal: abortSignal } : {});
      // Without streaming only the whole answer is given, after all the time it would have taken.
      if (stream || index === steps.length - 1) yield response;
    }
  }

  async #steps(request: LlmRequest, stream: boolean): Promise<ReturnType<typeof stepsOf>> {
    if ('rules' in this.#params) {
      const answer = await answerByRule(this.#params.rules, request, stream);
      return stepsOf(answer ?? exhausted(`No rule of "${this.model}" matches what was said last.`));
    }
    const { responses } = this.#params;
    const response = responses[request.ordinal];
    const reason = `The script of "${this.model}" has ${responses.length} responses; answer ${request.ordinal} was asked for.`;
    return stepsOf(response ?? exhausted(reason));
  }
}

function exhausted(errorMessage: string): LlmResponse {
  return { errorCode: 'SCRIPT_EXHAUSTED', errorMessage };
}
