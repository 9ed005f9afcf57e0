import { type Event } from '@skein/contracts';
import { Context } from '../../agent/context';
import { type InvocationContext } from '../../agent/invocation-context';
import { type LlmAgent } from '../../agent/llm-agent';
import { type ToolUnion } from '../../agent/llm-agent-config';
import { type LlmRequest } from '../../model/llm-request';
import { BaseTool } from '../../tool/base-tool';
import { isBaseToolset } from '../../tool/base-toolset';
import { type RequestProcessor } from '../request-processor';
import { resolveTools } from '../resolve-tools';
import { toolsetAuthEvent } from '../toolset-auth';

/** Lets each toolset and each tool add itself to the request, one after the other, in the author's order. */
export const toolsProcessor: RequestProcessor = {
  name: 'tools',
  run(agent, context, request) {
    // At every model call, and most agents have no toolset and no tool that does more than to tell of itself.
    if (agent.tools.every(isOnlyDeclared)) {
      for (const tool of agent.tools) tool.declareIn(request);
      return undefined;
    }
    const question = toolsetAuthEvent(agent, context);
    return question ? asked(question, context) : addTools(agent, context, request);
  },
};

/** A tool from another copy of this package adds itself in the way of that one. */
function isOnlyDeclared(tool: ToolUnion): tool is BaseTool {
  return tool instanceof BaseTool && tool.isOnlyDeclared;
}

async function* asked(question: Event, context: InvocationContext): AsyncGenerator<Event, void> {
  // Without its tools the agent has nothing to go on with (B35).
  context.endInvocation = true;
  yield question;
}

async function addTools(agent: LlmAgent, context: InvocationContext, request: LlmRequest): Promise<void> {
  const tools = await resolveTools(agent, context);
  for (const toolset of agent.tools.filter(isBaseToolset)) {
    await toolset.processLlmRequest(new Context(context), request);
  }
  for (const tool of tools) await tool.processLlmRequest(new ToolsTurn(context, request));
}

/** What a tool may need to add itself; most add a declaration, at every model call, and look at no context. */
class ToolsTurn {
  #toolContext: Context | undefined;

  constructor(
    private readonly context: InvocationContext,
    readonly llmRequest: LlmRequest,
  ) {}

  get toolContext(): Context {
    return (this.#toolContext ??= new Context(this.context));
  }
}
