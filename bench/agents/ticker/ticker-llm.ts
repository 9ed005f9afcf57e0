import { setTimeout as pause } from 'node:timers/promises';
import { BaseLlm, type LlmRequest, type LlmResponse } from '@skein/adk';

const ASKED = /^Stream (\d+) tokens, one in (\d+) ms/;

/**
 * Streams tokens by the clock: each says, in ms since the epoch, when it was due. A token that is late by the clock of
 * this process counts as late, for the schedule does not wait for it.
 */
export class TickerLlm extends BaseLlm {
  constructor() {
    super({ model: 'ticker' });
  }

  async *generateContentAsync(
    request: LlmRequest,
    _stream?: boolean,
    abortSignal?: AbortSignal,
  ): AsyncGenerator<LlmResponse, void> {
    const asked = request.contents.at(-1)?.parts?.[0]?.text ?? '';
    const [, tokens, everyMs] = (ASKED.exec(asked) ?? []).map(Number);
    if (!tokens || everyMs === undefined) throw new Error(`the ticker was asked something else: ${asked}`);
    const begunAtMs = Date.now();
    let text = '';
    for (let token = 0; token < tokens; token++) {
      const dueAtMs = begunAtMs + token * everyMs;
      const early = dueAtMs - Date.now();
      if (early > 0) await pause(early, undefined, { signal: abortSignal });
      text += `${dueAtMs} `;
      yield { content: { role: 'model', parts: [{ text: `${dueAtMs} ` }] }, partial: true };
    }
    yield { content: { role: 'model', parts: [{ text }] } };
  }
}
