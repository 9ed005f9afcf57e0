import { type Event } from '@skein/contracts';
import { ReadonlyContext } from '../agent/readonly-context';
import { type InvocationContext } from '../agent/invocation-context';
import { type LlmAgent } from '../agent/llm-agent';
import { redactAuthConfig } from '../auth/redact-auth-config';
import { createEventActions } from '../event/create-event';
import { isBaseToolset } from '../tool/base-toolset';
import { authRequestEvent } from './request-events';

/** In the place of a call's id: no call asks, and none is run again once the credential is there. */
const NO_CALL_PREFIX = '_adk_toolset_auth_';

/** Asks the user for the credentials without which toolsets cannot even name their tools (B35); nothing when all are there. */
export function toolsetAuthEvent(agent: LlmAgent, context: InvocationContext): Event | undefined {
  const readonlyContext = new ReadonlyContext(context);
  const missing = agent.tools.flatMap((tool) => {
    const config = isBaseToolset(tool) ? tool.getAuthConfig() : undefined;
    if (!config || readonlyContext.getAuthResponse(config)) return [];
    return [[NO_CALL_PREFIX + config.credentialKey, redactAuthConfig(config)] as const];
  });
  const requestedAuthConfigs = Object.fromEntries(missing);
  return authRequestEvent(context, { actions: createEventActions({ requestedAuthConfigs }) });
}
