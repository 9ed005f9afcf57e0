import { type Event } from '@skein/contracts';
import { hasFunctionCalls, hasFunctionResponses } from './function-parts';

/** Whether an agent's turn ends with this event (B16). */
export function isFinalResponse(event: Event): boolean {
  if (event.actions.skipSummarization) return true;
  if (event.longRunningToolIds?.length) return true;
  return (
    !hasFunctionCalls(event) &&
    !hasFunctionResponses(event) &&
    !event.partial &&
    !endsWithCodeExecutionResult(event)
  );
}

function endsWithCodeExecutionResult(event: Event): boolean {
  return event.content?.parts?.at(-1)?.codeExecutionResult !== undefined;
}
