import { type Event } from '@skein/contracts';
import { type InvocationContext } from '../agent/invocation-context';
import { type LlmAgent } from '../agent/llm-agent';
import { type LlmResponse } from '../model/llm-response';
import { type Made, type Place } from './request-processor';

/** One step between a model's answer and its event: it changes the answer in place and may yield events before it. */
export interface ResponseProcessor {
  readonly name: string;
  run(agent: LlmAgent, context: InvocationContext, response: LlmResponse): Made;
}

/** A step an author adds between a model's answer and its event. */
export abstract class BaseLlmResponseProcessor {
  /** Changes the answer in place; events it yields are stored before it, as the agent's. Not run for stored answers. */
  abstract runAsync(context: InvocationContext, llmResponse: LlmResponse): AsyncGenerator<Event, void>;
}

export type PlacedResponseProcessor = Place & { readonly processor: BaseLlmResponseProcessor };
