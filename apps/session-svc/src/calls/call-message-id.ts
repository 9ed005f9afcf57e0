import { type ToolCallMessage } from '@skein/contracts';

/**
 * The id a call's message goes into TOOLS under: the stream drops a second one of the same. One that is to be delivered
 * although the stream remembers another of its attempt says why.
 */
export function callMessageId(
  { call, ticket, returned }: Pick<ToolCallMessage, 'call' | 'ticket' | 'returned'>,
  resultsLostAtMs?: number,
): string {
  const back = returned === undefined ? '' : `.returned.${returned}`;
  const again = resultsLostAtMs === undefined ? '' : `.again.${resultsLostAtMs}`;
  return `${call.dispatchId}.${ticket.attempt}${back}${again}`;
}
