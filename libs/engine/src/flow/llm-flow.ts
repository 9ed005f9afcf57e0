import { type Event } from '@skein/contracts';
import { type InvocationContext } from '../agent/invocation-context';
import { type LlmAgent } from '../agent/llm-agent';
import { getFunctionCalls } from '../event/function-parts';
import { isFinalResponse } from '../event/is-final-response';
import { type LlmRequest } from '../model/llm-request';
import { answersOf } from './answers-of';
import { callModel } from './call-model';
import { requestProcessors } from './request-processors';
import { runTools } from './run-tools';

/** The Flow: rounds of one model call and the tools it asks for, until an event is final (B15). */
export async function* runLlmFlow(agent: LlmAgent, context: InvocationContext): AsyncGenerator<Event, void> {
  for (let round = 0; ; round++) {
    if (agent.maxIterations > 0 && round >= agent.maxIterations) {
      yield iterationLimitEvent(agent, context);
      return;
    }
    let last: Event | undefined;
    for await (const event of runRound(agent, context)) {
      last = event;
      yield event;
    }
    if (!last || last.partial || last.errorCode || isFinalResponse(last)) return;
  }
}

async function* runRound(agent: LlmAgent, context: InvocationContext): AsyncGenerator<Event, void> {
  const request: LlmRequest = {
    model: '',
    contents: [],
    config: {},
    toolsDict: {},
    ordinal: answersOf(agent.name, context.session.events),
    origin: {
      appName: context.session.appName,
      sessionId: context.session.id,
      invocationId: context.invocationId,
      agentName: agent.name,
    },
  };
  for (const processor of requestProcessors) yield* processor.run(agent, context, request);

  for await (const event of callModel(agent, context, request)) {
    yield event;
    // A partial event never triggers tools (B19): its calls may be incomplete.
    if (event.partial || getFunctionCalls(event).length === 0) continue;
    const response = await runTools(agent, context, request, event);
    if (response) yield response;
  }
}

function iterationLimitEvent(agent: LlmAgent, context: InvocationContext): Event {
  return context.createStepEvent(
    { stepKey: context.frame.step('error') },
    {
      errorCode: 'MAX_ITERATIONS',
      errorMessage: `Agent "${agent.name}" reached its limit of ${agent.maxIterations} rounds in one turn.`,
    },
  );
}
