import { AdkError } from '@skein/contracts';
import { BaseLlm, type LlmRequest, type LlmResponse } from '@skein/engine';

/** The models to choose from, by key. */
export type RoutedModels = Readonly<Record<string, BaseLlm>>;

/**
 * Chooses the model of a request by its key. It is asked again with an `errorContext` when the chosen one failed before it
 * answered anything; nothing, or a key that failed already, leaves the error as it is.
 */
export type LlmRouter = (
  models: RoutedModels,
  request: LlmRequest,
  errorContext?: { failedKeys: ReadonlySet<string>; lastError: unknown },
) => Promise<string | undefined> | string | undefined;

export interface RoutedLlmParams {
  /** A list is keyed by the models' names. */
  readonly models: RoutedModels | BaseLlm[];
  readonly router: LlmRouter;
  readonly modelName?: string;
}

const DEFAULT_NAME = 'routed-llm';

/**
 * One of several models, chosen at each request; another when the first one fails. What is stored of an answer is played
 * again without a choice, and a request that is made anew after a crash is routed anew.
 */
export class RoutedLlm extends BaseLlm {
  readonly #models: RoutedModels;
  readonly #router: LlmRouter;

  constructor({ models, router, modelName = DEFAULT_NAME }: RoutedLlmParams) {
    const byKey = Array.isArray(models) ? keyedByName(models) : models;
    super({ model: modelName === DEFAULT_NAME ? nameOf(byKey) : modelName });
    this.#models = byKey;
    this.#router = router;
  }

  override async *generateContentAsync(
    request: LlmRequest,
    stream = false,
    abortSignal?: AbortSignal,
  ): AsyncGenerator<LlmResponse, void> {
    const failedKeys = new Set<string>();
    let key = await this.#router(this.#models, request);
    if (!key)
      throw new AdkError('invalid', 'model.no-route', `The router of "${this.model}" chose no model.`);
    for (;;) {
      const chosen = this.#modelOf(key);
      let isShown = false;
      try {
        // Each model is asked under its own name: the agent's request has that of the route.
        const asked = { ...request, model: chosen.model };
        for await (const answer of chosen.generateContentAsync(asked, stream, abortSignal)) {
          isShown = true;
          yield answer;
        }
        return;
      } catch (lastError) {
        abortSignal?.throwIfAborted();
        if (isShown) throw lastError;
        failedKeys.add(key);
        const next = await this.#router(this.#models, request, { failedKeys, lastError });
        if (next === undefined || failedKeys.has(next)) throw lastError;
        key = next;
      }
    }
  }

  #modelOf(key: string): BaseLlm {
    const model = Object.hasOwn(this.#models, key) ? this.#models[key] : undefined;
    if (model) return model;
    const message = `The router of "${this.model}" chose "${key}", which is none of its models.`;
    throw new AdkError('invalid', 'model.no-route', message);
  }
}

/** Two models of one name would be one, and which of them is not to be guessed. */
function keyedByName(models: readonly BaseLlm[]): RoutedModels {
  const names = models.map(({ model }) => model);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    const message = `Two models are named "${twice}": give them keys of their own.`;
    throw new AdkError('invalid', 'model.no-route', message);
  }
  return Object.fromEntries(models.map((model) => [model.model, model]));
}

function nameOf(models: RoutedModels): string {
  const names = Object.entries(models).map(([key, { model }]) => `${key} (${model})`);
  return `RoutedLlm[${names.join(', ')}]`;
}
