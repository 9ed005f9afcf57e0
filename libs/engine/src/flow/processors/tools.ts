import { Context } from '../../agent/context';
import { isBaseToolset } from '../../tool/base-toolset';
import { type RequestProcessor } from '../request-processor';
import { resolveTools } from '../resolve-tools';
import { toolsetAuthEvent } from '../toolset-auth';

/** Lets each toolset and each tool add itself to the request, one after the other, in the author's order. */
export const toolsProcessor: RequestProcessor = {
  name: 'tools',
  async *run(agent, context, request) {
    const question = toolsetAuthEvent(agent, context);
    if (question) {
      // Without its tools the agent has nothing to go on with (B35).
      context.endInvocation = true;
      yield question;
      return;
    }
    const tools = await resolveTools(agent, context);
    for (const toolset of agent.tools.filter(isBaseToolset)) {
      await toolset.processLlmRequest(new Context(context), request);
    }
    for (const tool of tools) {
      await tool.processLlmRequest({ toolContext: new Context(context), llmRequest: request });
    }
  },
};
