import { type ToolCallMessage } from '@skein/contracts';
import { waitsUntilStored } from '@skein/session-store';

/**
 * The id a call's message goes into TOOLS under: the stream drops a second one of the same. One that is to be delivered
 * although the stream remembers another of its attempt says why.
 */
export function callMessageId(
  { call, ticket, returned }: Pick<ToolCallMessage, 'call' | 'ticket' | 'returned'>,
  resultsLostAtMs?: number,
  isAhead = false,
): string {
  const back = returned === undefined ? '' : `.returned.${returned}`;
  const again = resultsLostAtMs === undefined ? '' : `.again.${resultsLostAtMs}`;
  const aheadMs = isAhead ? ticket.deadlineMs : leftAheadMs(call, ticket.attempt);
  const ahead = aheadMs === undefined ? '' : `.ahead.${aheadMs}`;
  return `${call.dispatchId}.${ticket.attempt}${back}${again}${ahead}`;
}

/**
 * By which ticket the stored call is in the stream already. Not where that one only reads: it may have run before it was stored, and
 * ended for nobody, so whoever sends the stored call is not to be taken for it.
 */
function leftAheadMs(call: ToolCallMessage['call'], attempt: number): number | undefined {
  return attempt === 1 && waitsUntilStored(call) ? call.policy.aheadDeadlineMs : undefined;
}
