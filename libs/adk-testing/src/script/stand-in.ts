import { BaseLlm, type LlmRequest, type LlmResponse, LLMRegistry } from '@skein/adk';

/**
 * Has `model` answer for every agent of this process whose model is a name that the pattern matches whole, so that an
 * agent file is tested as it is: `standIn('gemini-2.5-flash', scripted([…]))`. The one made last wins.
 */
export function standIn(pattern: string | RegExp, model: BaseLlm): void {
  LLMRegistry.register(
    class StandIn extends BaseLlm {
      static override readonly supportedModels = [pattern];

      override generateContentAsync(
        request: LlmRequest,
        stream?: boolean,
        abortSignal?: AbortSignal,
      ): AsyncGenerator<LlmResponse, void> {
        return model.generateContentAsync(request, stream, abortSignal);
      }
    },
  );
}
