/* eslint-disable require-yield -- a processor may yield events; this one has none. */
import { ReadonlyContext } from '../../agent/context';
import { appendInstructions } from '../../model/llm-request';
import { fillTemplate } from '../fill-template';
import { type RequestProcessor } from '../request-processor';

/** Adds the agent's instruction: text with `{variables}` from state, or what its provider says (B59). */
export const instructionsProcessor: RequestProcessor = {
  name: 'instructions',
  async *run(agent, context, request) {
    const readonlyContext = new ReadonlyContext(context);
    const instruction =
      typeof agent.instruction === 'string'
        ? fillTemplate(agent.instruction, readonlyContext.state)
        : await agent.instruction(readonlyContext);
    appendInstructions(request, [instruction]);
  },
};
