import { Context } from '../../agent/context';
import { type RequestProcessor } from '../request-processor';

/** Lets each tool add itself to the request, one after the other, in the author's order. */
export const toolsProcessor: RequestProcessor = {
  name: 'tools',
  // eslint-disable-next-line require-yield -- a processor may yield events; this one has none.
  async *run(agent, context, request) {
    for (const tool of agent.tools) {
      await tool.processLlmRequest({ toolContext: new Context(context), llmRequest: request });
    }
  },
};
