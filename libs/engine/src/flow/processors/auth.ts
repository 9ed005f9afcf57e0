import { type FunctionCall } from '@skein/contracts';
import { type InvocationContext } from '../../agent/invocation-context';
import { type AuthConfig, REQUEST_CREDENTIAL } from '../../auth/auth-config';
import { credentialStateKey } from '../../auth/stored-credential';
import { getFunctionCalls, getFunctionResponses } from '../../event/function-parts';
import { earlierDecision } from '../decision';
import { rerunCalls } from '../rerun-calls';
import { type RequestProcessor } from '../request-processor';
import { unwrapAnswer } from '../unwrap-answer';
import { answeredRequests, visibleEvents } from '../user-answers';

/** Takes the credentials the user gave and runs the calls that asked for them (B35). */
export const authProcessor: RequestProcessor = {
  name: 'auth',
  run(agent, context) {
    const answered = answeredRequests(context, REQUEST_CREDENTIAL);
    if (answered.length === 0) return undefined;
    const waiting = answered.flatMap(({ request }) => {
      keepCredential(context, request);
      const call = callOf(context, request);
      return call?.id === undefined
        ? []
        : [{ request, call, confirmation: earlierDecision(context, call.id) }];
    });
    return rerunCalls(agent, context, waiting);
  },
};

/**
 * From the input itself: the stored event holds no secret (B65). Into the live state, as `temp:`: it is gone with the
 * invocation, and a resumed run takes it from the input again. Under the key that was asked for, whatever the answer
 * says: else a client could set any of them.
 */
function keepCredential({ invocation, session }: InvocationContext, { id, args }: FunctionCall): void {
  const answers = getFunctionResponses({ content: invocation.userContent });
  const given = answers.find((response) => response.id === id && response.name === REQUEST_CREDENTIAL);
  // The request was written by authRequestEvent; of the answer only an object counts.
  const { credentialKey } = args?.authConfig as AuthConfig;
  const { exchangedAuthCredential: credential } = unwrapAnswer(given?.response);
  if (typeof credential !== 'object' || credential === null) return;
  session.state[credentialStateKey({ credentialKey })] = credential;
}

/** The call that asked, found by the id its request names. */
function callOf(context: InvocationContext, { args }: FunctionCall): FunctionCall | undefined {
  return visibleEvents(context)
    .filter(({ author }) => author === context.agentName)
    .flatMap(getFunctionCalls)
    .findLast(({ id, name }) => id === args?.functionCallId && name !== REQUEST_CREDENTIAL);
}
