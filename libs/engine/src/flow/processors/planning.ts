import { type Event } from '@skein/contracts';
import { Context } from '../../agent/context';
import { ReadonlyContext } from '../../agent/readonly-context';
import { createEvent, createEventActions } from '../../event/create-event';
import { appendInstructions } from '../../model/llm-request';
import { type RequestProcessor } from '../request-processor';
import { type ResponseProcessor } from '../response-processor';

/** Tells the model how to plan, as the agent's planner says; the planner may also change the request itself. */
export const planningProcessor: RequestProcessor = {
  name: 'planning',
  run(agent, context, request) {
    const instruction = agent.planner?.buildPlanningInstruction(new ReadonlyContext(context), request);
    if (instruction) appendInstructions(request, [instruction]);
  },
};

/** Has the planner sort a whole answer into thought and speech; state it sets is an event of its own. */
export const planningResponseProcessor: ResponseProcessor = {
  name: 'planning',
  run(agent, context, response) {
    const { content } = response;
    if (!agent.planner || response.partial || !content?.parts) return undefined;
    const actions = createEventActions();
    const parts = agent.planner.processPlanningResponse(new Context(context, { actions }), content.parts);
    if (parts) response.content = { ...content, parts };
    if (Object.keys(actions.stateDelta).length === 0) return undefined;
    const { invocationId, branch } = context;
    // Its id and its time are given to it where it becomes a step.
    return only(createEvent({ id: '', invocationId, author: agent.name, branch, timestamp: 0, actions }));
  },
};

async function* only(event: Event): AsyncGenerator<Event, void> {
  yield event;
}
