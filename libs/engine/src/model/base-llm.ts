import { type LlmRequest } from './llm-request';
import { type LlmResponse } from './llm-response';

const MARKER: unique symbol = Symbol.for('skein.BaseLlm');

/** Whether a value is a model, also when it came from another copy of this package. */
export function isBaseLlm(value: unknown): value is BaseLlm {
  return typeof value === 'object' && value !== null && MARKER in value;
}

/** Port to a model provider. */
export abstract class BaseLlm {
  readonly [MARKER] = true;
  readonly model: string;
  static readonly supportedModels: readonly (string | RegExp)[] = [];

  constructor({ model }: { readonly model: string }) {
    this.model = model;
  }

  /**
   * Answers a request. With `stream`, pieces come first with `partial: true`, then the whole answer without it; without,
   * one answer. Provider refusals are answers with `errorCode`; what cannot be answered throws. Aborting ends it early.
   */
  abstract generateContentAsync(
    request: LlmRequest,
    stream?: boolean,
    abortSignal?: AbortSignal,
  ): AsyncGenerator<LlmResponse, void>;
}
