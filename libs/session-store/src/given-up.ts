import { type ToolResultMessage } from '@skein/contracts';

/** The result of a call that the plane ends without its tool: an error, told to the model like any other. */
export function givenUp(
  call: Pick<ToolResultMessage, 'appName' | 'userId' | 'sessionId' | 'invocationId' | 'tool' | 'ticket'>,
  error: { readonly code: string; readonly message: string },
): ToolResultMessage {
  const { appName, userId, sessionId, invocationId, tool, ticket } = call;
  return {
    ...{ appName, userId, sessionId, invocationId, tool, ticket },
    outcome: { kind: 'error', ...error },
    actions: { stateDelta: {}, artifactDelta: {}, requestedAuthConfigs: {}, requestedToolConfirmations: {} },
    execution: { worker: 'session-svc', pid: process.pid, attempt: ticket.attempt, durationMs: 0 },
  };
}
