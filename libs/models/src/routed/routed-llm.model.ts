import { BaseLlm, isBaseLlm, type LlmRequest, type LlmResponse, requestLike } from '@skein/engine';
import { askRouter, noRoute } from './ask-router';
import { enterRoute, isRouteCycle, withinRoute } from './route-path';

/** The models to choose from, by key. */
export type RoutedModels = Readonly<Record<string, BaseLlm>>;

interface ErrorContext {
  failedKeys: ReadonlySet<string>;
  lastError: unknown;
}

/**
 * Chooses the model of a request by its key. It is asked again with an `errorContext` when the chosen one failed before it
 * answered anything; nothing, or a key that failed already, leaves the error as it is.
 */
export type LlmRouter = (
  models: RoutedModels,
  request: LlmRequest,
  errorContext?: ErrorContext,
) => Promise<string | undefined> | string | undefined;

export interface RoutedLlmParams {
  /** A list is keyed by the models' names. */
  readonly models: RoutedModels | BaseLlm[];
  readonly router: LlmRouter;
  readonly modelName?: string;
}

const DEFAULT_NAME = 'routed-llm';
const MAX_NAME = 200;
/** As much of a wrong key as is told. */
const MAX_KEY = 100;

/**
 * One of several models, chosen at each request; another when the first one fails. What is stored of an answer is played
 * again without a choice, and a request that is made anew after a crash is routed anew.
 */
export class RoutedLlm extends BaseLlm {
  readonly #models: RoutedModels;
  readonly #router: LlmRouter;

  /** Throws `model.no-route` when there is nothing to choose from, or nobody who chooses. */
  constructor({ models, router, modelName = DEFAULT_NAME }: RoutedLlmParams) {
    assertModels(models);
    const byKey = Array.isArray(models) ? keyedByName(models) : models;
    super({ model: modelName === DEFAULT_NAME ? nameOf(byKey) : modelName });
    if (typeof router !== 'function') throw noRoute(`"${this.model}" needs a router, a function.`);
    this.#models = byKey;
    this.#router = router;
  }

  /** Throws `model.route-cycle` when it leads back to itself through other routes. */
  assertNoCycle(above: readonly BaseLlm[] = [], known = new Set<RoutedLlm>()): void {
    const path = enterRoute(above, this);
    for (const model of Object.values(this.#models)) {
      if (model instanceof RoutedLlm && !known.has(model)) model.assertNoCycle(path, known);
    }
    known.add(this);
  }

  override async *generateContentAsync(
    request: LlmRequest,
    stream = false,
    abortSignal?: AbortSignal,
  ): AsyncGenerator<LlmResponse, void> {
    yield* withinRoute(this, this.#answers(request, stream, abortSignal));
  }

  async *#answers(
    request: LlmRequest,
    stream: boolean,
    abortSignal: AbortSignal | undefined,
  ): AsyncGenerator<LlmResponse, void> {
    const choose = (failure?: ErrorContext): Promise<string | undefined> =>
      this.#choose(request, abortSignal, failure);
    const failedKeys = new Set<string>();
    let key = await choose();
    if (key === undefined) throw noRoute(`The router of "${this.model}" chose no model.`);
    for (;;) {
      const chosen = this.#modelOf(key);
      let isShown = false;
      try {
        // Each model is asked under its own name: the agent's request has that of the route.
        const asked = requestLike(request, { model: chosen.model });
        for await (const answer of chosen.generateContentAsync(asked, stream, abortSignal)) {
          isShown = true;
          yield answer;
        }
        return;
      } catch (lastError) {
        abortSignal?.throwIfAborted();
        // A spare would hide for ever that the route leads in a circle.
        if (isShown || isRouteCycle(lastError)) throw lastError;
        failedKeys.add(key);
        const next = await choose({ failedKeys: new Set(failedKeys), lastError });
        if (next === undefined || failedKeys.has(next)) throw lastError;
        key = next;
      }
    }
  }

  /** The key that the router gives; none when it gives nothing. */
  async #choose(
    request: LlmRequest,
    abortSignal: AbortSignal | undefined,
    failure: ErrorContext | undefined,
  ): Promise<string | undefined> {
    const ask = (): unknown =>
      failure ? this.#router(this.#models, request, failure) : this.#router(this.#models, request);
    const key = await askRouter(this.model, ask, abortSignal);
    if (key === undefined || key === null || key === '') return undefined;
    if (typeof key === 'string' && Object.hasOwn(this.#models, key)) return key;
    const told = typeof key === 'string' ? `"${key.slice(0, MAX_KEY)}"` : `a ${typeof key}`;
    throw noRoute(`The router of "${this.model}" chose ${told}, which is none of its models.`);
  }

  #modelOf(key: string): BaseLlm {
    const model = this.#models[key];
    // The models may be changed by whoever made them.
    if (isBaseLlm(model)) return model;
    throw noRoute(`"${key}" of "${this.model}" is not a model.`);
  }
}

/** Also what a file without types hands over. */
function assertModels(models: unknown): asserts models is RoutedModels | BaseLlm[] {
  if (typeof models !== 'object' || models === null)
    throw noRoute('A RoutedLlm needs models to choose from.');
  const wrong = Object.entries(models).find(([, model]) => !isBaseLlm(model));
  if (wrong) throw noRoute(`"${wrong[0]}" of the models of a RoutedLlm is not a model.`);
}

/** Two models of one name would be one, and which of them is not to be guessed. */
function keyedByName(models: readonly BaseLlm[]): RoutedModels {
  const names = models.map(({ model }) => model);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw noRoute(`Two models are named "${twice}": give them keys of their own.`);
  return Object.fromEntries(models.map((model) => [model.model, model]));
}

/** Bounded, since routes below one another have each other's names in theirs. */
function nameOf(models: RoutedModels): string {
  const names = Object.entries(models).map(([key, { model }]) => `${key} (${model})`);
  const name = `RoutedLlm[${names.join(', ')}]`;
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME - 2)}…]`;
}
