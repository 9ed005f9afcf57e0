import { type ToolCallMessage } from '@skein/contracts';

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
  // What ran before its call was stored may have ended for nobody: whoever sends the stored call is not to be taken for this.
  const ahead = isAhead ? `.ahead.${ticket.deadlineMs}` : '';
  return `${call.dispatchId}.${ticket.attempt}${back}${again}${ahead}`;
}
