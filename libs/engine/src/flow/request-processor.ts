import { type Event } from '@skein/contracts';
import { type InvocationContext } from '../agent/invocation-context';
import { type LlmAgent } from '../agent/llm-agent';
import { type LlmRequest } from '../model/llm-request';

/** One step of building a model request: it changes the request in place and may yield events of its own. */
export interface RequestProcessor {
  readonly name: string;
  run(agent: LlmAgent, context: InvocationContext, request: LlmRequest): AsyncGenerator<Event, void>;
}
