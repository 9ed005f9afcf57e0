/* eslint-disable require-yield -- a processor may yield events; this one has none. */
import { Context } from '../../agent/context';
import { isBaseToolset } from '../../tool/base-toolset';
import { type RequestProcessor } from '../request-processor';
import { resolveTools } from '../resolve-tools';

/** Lets each toolset and each tool add itself to the request, one after the other, in the author's order. */
export const toolsProcessor: RequestProcessor = {
  name: 'tools',
  async *run(agent, context, request) {
    const tools = await resolveTools(agent, context);
    for (const toolset of agent.tools.filter(isBaseToolset)) {
      await toolset.processLlmRequest(new Context(context), request);
    }
    for (const tool of tools) {
      await tool.processLlmRequest({ toolContext: new Context(context), llmRequest: request });
    }
  },
};
