import { type InvocationContext } from '../agent/invocation-context';
import { type LlmAgent } from '../agent/llm-agent';
import { type LlmRequest } from '../model/llm-request';
import { createLlmRequest } from '../model/shared-contents';

/** An empty request that knows whose it is; the processors fill it. */
export function createRequest(agent: LlmAgent, context: InvocationContext): LlmRequest {
  return createLlmRequest({
    model: '',
    config: {},
    toolsDict: {},
    ordinal: context.answersOf(agent.name),
    origin: {
      appName: context.session.appName,
      sessionId: context.session.id,
      invocationId: context.invocationId,
      agentName: agent.name,
    },
  });
}
