import { type Event } from '@skein/contracts';
import { getFunctionCalls, getFunctionResponses } from './function-parts';

/** Whether an agent's turn ends with this event (B16). */
export function isFinalResponse(event: Event): boolean {
  if (event.actions.skipSummarization) return true;
  if (event.longRunningToolIds?.length) return true;
  return (
    getFunctionCalls(event).length === 0 &&
    getFunctionResponses(event).length === 0 &&
    !event.partial &&
    !endsWithCodeExecutionResult(event)
  );
}

function endsWithCodeExecutionResult(event: Event): boolean {
  return event.content?.parts?.at(-1)?.codeExecutionResult !== undefined;
}
