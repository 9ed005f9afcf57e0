import { type LlmRequest, type LlmResponse, ScriptedLlm } from '@skein/adk';
import { noteEffect } from './note-effect';

/** A scripted model that also notes when it was asked, beside the effects of the tools. */
export class NotingLlm extends ScriptedLlm {
  override generateContentAsync(
    request: LlmRequest,
    stream?: boolean,
    signal?: AbortSignal,
  ): AsyncGenerator<LlmResponse, void> {
    const { origin, ordinal } = request;
    noteEffect({
      phase: 'ask',
      agent: origin?.agentName ?? '',
      sessionId: origin?.sessionId ?? '',
      invocationId: origin?.invocationId ?? '',
      ordinal,
    });
    return super.generateContentAsync(request, stream, signal);
  }
}
