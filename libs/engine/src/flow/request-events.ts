import { type Event, type FunctionCall, type Part } from '@skein/contracts';
import { type InvocationContext } from '../agent/invocation-context';
import { REQUEST_CREDENTIAL } from '../auth/auth-config';
import { SKIPPED_MODEL } from './answers-of';
import { clientCallId } from './model-event';

/** The call in which a user is asked whether a tool may run (B33). */
export const REQUEST_CONFIRMATION = 'adk_request_confirmation';

/** Asks the user for the credentials that tools of this round need (B35); nothing when none does. */
export function authRequestEvent(
  context: InvocationContext,
  { actions }: Pick<Event, 'actions'>,
  calls: readonly FunctionCall[] = [],
): Event | undefined {
  const asked = inCallOrder(actions.requestedAuthConfigs, calls);
  const requests = asked.map(([functionCallId, authConfig]) => ({
    name: REQUEST_CREDENTIAL,
    args: { functionCallId, authConfig },
  }));
  // The role is that of the response event it goes with, as official clients expect it.
  return requestEvent(context, 'auth', { role: 'user', requests });
}

/** Asks the user whether the calls of this round that want it may run (B33); nothing when none does. */
export function confirmationRequestEvent(
  context: InvocationContext,
  response: Event,
  calls: readonly FunctionCall[],
): Event | undefined {
  const asked = inCallOrder(response.actions.requestedToolConfirmations, calls);
  const requests = asked.map(([callId, toolConfirmation]) => ({
    name: REQUEST_CONFIRMATION,
    args: { originalFunctionCall: asAsked(calls, callId), toolConfirmation },
  }));
  return requestEvent(context, 'confirmation', { role: 'model', requests });
}

/** The three fields clients know; whatever else a provider put on its call is not theirs to see. */
function asAsked(calls: readonly FunctionCall[], callId: string): FunctionCall | undefined {
  const call = calls.find(({ id }) => id === callId);
  return call && { name: call.name, id: callId, args: call.args ?? {} };
}

/** Keys of stored objects are sorted; who answers by position answers by the order of the calls (B26). */
function inCallOrder(
  asked: Readonly<Record<string, unknown>>,
  calls: readonly FunctionCall[],
): [string, unknown][] {
  const placeOf = (callId: string): number => calls.findIndex(({ id }) => id === callId);
  return Object.entries(asked).sort(([one], [other]) => placeOf(one) - placeOf(other));
}

interface Requests {
  readonly role: 'user' | 'model';
  readonly requests: readonly { readonly name: string; readonly args: Record<string, unknown> }[];
}

/** Calls that no model made, to a tool no process has: they stand until the user answers them. */
function requestEvent(
  context: InvocationContext,
  kind: 'auth' | 'confirmation',
  { role, requests }: Requests,
): Event | undefined {
  if (requests.length === 0) return undefined;
  const step = { stepKey: context.frame.step(kind) };
  const ids = requests.map((_request, index) =>
    clientCallId(context.invocationId, `${step.stepKey}/${index}`),
  );
  const parts = requests.map(({ name, args }, index): Part => ({
    functionCall: { id: ids[index] ?? '', name, args },
  }));
  return (
    context.ledger.takeStored(step) ??
    context.ledger.createStepEvent(step, {
      content: { role, parts },
      longRunningToolIds: ids,
      customMetadata: { [SKIPPED_MODEL]: true },
    })
  );
}
