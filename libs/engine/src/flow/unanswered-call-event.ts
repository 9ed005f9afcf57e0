import { type Event } from '@skein/contracts';
import { type InvocationContext } from '../agent/invocation-context';
import { getFunctionCalls } from '../event/function-parts';

/** In a resumed app: the call event its agent's earlier segment ended with, before anything answered it (B54). */
export function unansweredCallEvent(context: InvocationContext): Event | undefined {
  if (!context.agentStates) return undefined;
  const { events } = context.session;
  const last = events.findLast(
    ({ invocationId, branch, actions }) =>
      // What was summarised in this very round says nothing about where the last one was cut.
      invocationId === context.invocationId && branch === context.branch && !actions.compaction,
  );
  if (last?.author !== context.agentName || getFunctionCalls(last).length === 0) return undefined;
  // What a human or an outside system has to answer is waited for, not run again.
  return last.longRunningToolIds?.length ? undefined : last;
}
