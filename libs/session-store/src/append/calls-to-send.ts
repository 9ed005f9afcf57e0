import {
  type AppendUnit,
  type CallContext,
  type CallRow,
  subjects,
  type Ticket,
  type ToolCallMessage,
} from '@skein/contracts';
import { type Pool } from 'pg';
import { readAdmittedCalls, type UnsentCall } from '../sql/read-unsent-calls';

/**
 * The first messages of a unit's calls that were just stored: of those with a ticket, since the others wait for their turn.
 * What the unit holds no state for is to be read.
 */
export function callsToSend(unit: AppendUnit, tickets: readonly Ticket[], readAtMs: number): UnsentCall[] {
  if (!unit.sending || lacksState(unit)) return [];
  const contexts = contextsOf(unit);
  const ticketOf = new Map(tickets.map((ticket) => [ticket.dispatchId, ticket]));
  const toUnsent = (call: CallRow): UnsentCall[] => {
    const { dispatchId } = call;
    const context = contexts.get(dispatchId);
    const minted = ticketOf.get(dispatchId);
    if (!context || !minted) return [];
    const { nonce } = context;
    const ticket = nonce === undefined ? minted : { ...minted, nonce };
    const { appName, userId, sessionId, invocationId } = unit;
    // Who made the call waits for it; of a later message nobody knows that.
    const answerTo = subjects.answer(unit.runnerId);
    const { userContent } = context;
    const state = stateOf(context);
    const message = {
      appName,
      userId,
      sessionId,
      invocationId,
      call,
      ticket,
      answerTo,
      state,
      userContent,
    };
    return [{ message, readAtMs, resultsLostAtMs: undefined, traceparent: undefined }];
  };
  return unit.calls.flatMap(toUnsent);
}

/** The states made the unit too large, and were left out. */
export function lacksState({ sending = [] }: AppendUnit): boolean {
  return sending.some(({ state }) => state === undefined);
}

/** The messages of a stored unit's calls as they are by now: without those that wait, have ended, or are not to be sent. */
export async function readCallsToSend(pool: Pool, secret: string, unit: AppendUnit): Promise<UnsentCall[]> {
  const contexts = contextsOf(unit);
  const calls = await readAdmittedCalls(pool, secret, [...contexts.keys()]);
  return calls.map((unsent) => {
    const context = contexts.get(unsent.message.call.dispatchId);
    return context ? { ...unsent, message: inContext(unsent.message, context) } : unsent;
  });
}

type OwnContext = Omit<CallContext, 'calls'> & CallContext['calls'][number];

function contextsOf({ sending = [] }: AppendUnit): ReadonlyMap<string, OwnContext> {
  const each = sending.flatMap(({ calls, state, userContent }) =>
    calls.map((call) => ({ ...call, state, userContent })),
  );
  return new Map(each.map((context) => [context.dispatchId, context]));
}

function inContext(message: ToolCallMessage, context: OwnContext): ToolCallMessage {
  const { userContent } = context;
  const whole = { ...message, state: stateOf(context, message.state) };
  return userContent === undefined ? whole : { ...whole, userContent };
}

/** What the call finds: what its unit was made with, else what is stored, and what the calls before it changed. */
function stateOf(
  { state, stateDelta }: OwnContext,
  stored?: ToolCallMessage['state'],
): ToolCallMessage['state'] {
  return { ...(state ?? stored), ...stateDelta };
}
