import { type LlmResponse } from '@skein/engine';
import { ProviderError } from './provider-error';

/** A prompt that the provider refuses to answer is an answer (`BaseLlm`), as where it says so with a finish reason. */
export function refusal(error: Error): LlmResponse | undefined {
  if (!(error instanceof ProviderError) || error.reason !== 'refused') return undefined;
  return { errorCode: 'SAFETY', errorMessage: error.message };
}
