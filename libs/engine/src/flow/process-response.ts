import { type Event } from '@skein/contracts';
import { type InvocationContext } from '../agent/invocation-context';
import { type LlmAgent } from '../agent/llm-agent';
import { type LlmResponse } from '../model/llm-response';
import { isStream, type Made } from './request-processor';

interface ProcessedResponse {
  /** Of the whole answer that this response is, or is a piece of. */
  readonly stepKey: string;
  readonly response: LlmResponse;
  /** How many events the processors made of earlier pieces. */
  readonly made: number;
}

/**
 * Has the response processors change an answer in place; yields the events they make, each under a key of the answer. Every
 * streamed piece passes here, and most leave it as it is: where there is nothing to wait for, it answers nothing.
 */
export function processResponse(
  agent: LlmAgent,
  context: InvocationContext,
  answer: ProcessedResponse,
): AsyncGenerator<Event, void> | undefined {
  for (const [at, processor] of agent.responseProcessors.entries()) {
    const made = processor.run(agent, context, answer.response);
    if (made !== undefined) return processedFrom(agent, context, answer, { at, made });
  }
  return undefined;
}

/** What the processor at this place is making, and what those behind it make. */
async function* processedFrom(
  agent: LlmAgent,
  context: InvocationContext,
  { stepKey, response, made }: ProcessedResponse,
  first: { readonly at: number; readonly made: Made },
): AsyncGenerator<Event, void> {
  let index = made;
  for (const [at, processor] of agent.responseProcessors.entries()) {
    if (at < first.at) continue;
    const events = at === first.at ? first.made : processor.run(agent, context, response);
    if (!isStream(events)) {
      await events;
      continue;
    }
    for await (const event of events) {
      const { id: _id, invocationId: _invocationId, timestamp: _timestamp, author, ...params } = event;
      yield context.ledger.createStepEvent({ stepKey: eventKey(stepKey, index++) }, params, { author });
    }
  }
}

/** The events the processors made before the crash: they are not asked again about a stored answer. */
export function* storedResponseEvents(context: InvocationContext, stepKey: string): Generator<Event, void> {
  for (let index = 0; ; index++) {
    const event = context.ledger.takeStored({ stepKey: eventKey(stepKey, index) });
    if (!event) return;
    yield event;
  }
}

function eventKey(stepKey: string, index: number): string {
  return `${stepKey}/event.${index}`;
}
