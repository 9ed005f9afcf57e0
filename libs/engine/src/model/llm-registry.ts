import { AdkError } from '@skein/contracts';
import { type BaseLlm } from './base-llm';

type LlmClass = (new (params: { model: string }) => BaseLlm) & {
  readonly supportedModels: readonly (string | RegExp)[];
};

/** Finds the adapter of a model name. The last registered match wins, so an author can replace a built-in. */
// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- ADK's name and form: authors register on the class.
export class LLMRegistry {
  static readonly #classes: LlmClass[] = [];

  static register(llmClass: LlmClass): void {
    if (!this.#classes.includes(llmClass)) this.#classes.push(llmClass);
  }

  /** Throws `model.unknown` when no registered adapter answers to the name. */
  static newLlm(model: string): BaseLlm {
    return new (this.resolve(model))({ model });
  }

  static resolve(model: string): LlmClass {
    const found = this.#classes.findLast((llmClass) =>
      llmClass.supportedModels.some((p) => matches(p, model)),
    );
    if (!found)
      throw new AdkError('not_found', 'model.unknown', `No model adapter is registered for "${model}".`);
    return found;
  }
}

function matches(pattern: string | RegExp, model: string): boolean {
  const source = typeof pattern === 'string' ? pattern : pattern.source;
  return new RegExp(`^(?:${source})$`).test(model);
}
