import { AdkError, type Event } from '@skein/contracts';
import { type InvocationContext } from '../agent/invocation-context';
import { type LlmAgent } from '../agent/llm-agent';
import { type LlmRequest } from '../model/llm-request';

/**
 * What a step of a pipeline has to say. Most only change what they are given: they say nothing, or when they are done. Each
 * runs at every model call, so only those that make events are streams.
 */
export type Made = AsyncGenerator<Event, void> | Promise<void> | undefined;

/** One step of building a model request: it changes the request in place and may yield events of its own. */
export interface RequestProcessor {
  readonly name: string;
  run(agent: LlmAgent, context: InvocationContext, request: LlmRequest): Made;
}

export function isStream(made: Made): made is AsyncGenerator<Event, void> {
  return made !== undefined && !('then' in made);
}

/** A step an author adds to the building of an agent's model requests. */
export abstract class BaseLlmRequestProcessor {
  /** Changes the request in place; events it yields are stored as the agent's. Runs again when a run is resumed. */
  abstract runAsync(context: InvocationContext, llmRequest: LlmRequest): AsyncGenerator<Event, void>;
}

/** Where an author's step goes: before or after one of the pipeline's, by its name. */
export type Place = { readonly before: string } | { readonly after: string };
export type PlacedRequestProcessor = Place & { readonly processor: BaseLlmRequestProcessor };

/** Puts steps of an author's own into a pipeline. Throws `agent.processor-place` for a name that is not in it. */
export function insertAtPlaces<Step extends { readonly name: string }>(
  pipeline: readonly Step[],
  additions: readonly (Place & { readonly step: Step })[],
): readonly Step[] {
  const steps = [...pipeline];
  for (const addition of additions) {
    const name = 'before' in addition ? addition.before : addition.after;
    const index = steps.findIndex((step) => step.name === name);
    if (index < 0) {
      const names = pipeline.map((step) => step.name).join(', ');
      throw new AdkError(
        'invalid',
        'agent.processor-place',
        `There is no processor called "${name}"; there are ${names}.`,
      );
    }
    steps.splice('before' in addition ? index : index + 1, 0, addition.step);
  }
  return steps;
}
