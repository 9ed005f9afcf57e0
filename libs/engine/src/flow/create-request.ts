import { type InvocationContext } from '../agent/invocation-context';
import { type LlmAgent } from '../agent/llm-agent';
import { type LlmRequest } from '../model/llm-request';

/** An empty request that knows whose it is; the processors fill it. */
export function createRequest(agent: LlmAgent, context: InvocationContext): LlmRequest {
  return {
    model: '',
    contents: [],
    config: {},
    toolsDict: {},
    ordinal: context.answersOf(agent.name),
    origin: {
      appName: context.session.appName,
      sessionId: context.session.id,
      invocationId: context.invocationId,
      agentName: agent.name,
    },
  };
}
