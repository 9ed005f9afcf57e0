import { type Event } from '@skein/contracts';
import { type LlmAgent } from '../agent/llm-agent';
import { describeError } from '../error/describe-error';
import { isFinalResponse } from '../event/is-final-response';
import { warn } from '../telemetry/warn';

/**
 * Keeps an agent's answer in state under its output key (B44): all it said in this run, beside calls too, on the event
 * that ends it; with an output schema the parsed last answer.
 */
export async function* keepOutput(
  agent: LlmAgent,
  events: AsyncGenerator<Event, void>,
): AsyncGenerator<Event, void> {
  let saidBefore = '';
  for await (const event of events) {
    yield isFinalResponse(event) ? withOutput(agent, event, saidBefore) : event;
    saidBefore += textOf(agent, event) ?? '';
  }
}

/** An event that ends an agent's turn, with its answer under the output key if the agent has one (B44). */
export function withOutput(agent: LlmAgent, event: Event, saidBefore = ''): Event {
  const text = agent.outputKey === undefined ? undefined : textOf(agent, event);
  if (agent.outputKey === undefined || text === undefined) return event;
  const value = agent.output ? parsed(agent, text, event.invocationId) : saidBefore + text;
  return value === undefined ? event : withState(event, { [agent.outputKey]: value });
}

/** What the agent itself said in a whole event, thoughts left out; nothing for an event without text. */
function textOf(agent: LlmAgent, event: Event): string | undefined {
  if (event.partial || event.author !== agent.name) return undefined;
  const texts = (event.content?.parts ?? []).filter((part) => part.text !== undefined && !part.thought);
  return texts.length > 0 ? texts.map(({ text }) => text ?? '').join('') : undefined;
}

function parsed(agent: LlmAgent, text: string, invocationId: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return agent.output?.parse(JSON.parse(text) as Record<string, unknown>);
  } catch (error) {
    // The answer is shown as it is; a value of another shape would break whoever reads the key.
    const reason = describeError(error);
    warn('an answer does not have its output schema', { agent: agent.name, invocationId, reason });
    return undefined;
  }
}

function withState(event: Event, delta: Record<string, unknown>): Event {
  const { actions } = event;
  return { ...event, actions: { ...actions, stateDelta: { ...actions.stateDelta, ...delta } } };
}
