import { type Event } from '@skein/contracts';
import { type InvocationContext } from '../agent/invocation-context';
import { hasFunctionCalls } from '../event/function-parts';

/** In a resumed app: the call event its agent's earlier segment ended with, before anything answered it (B54). */
export function unansweredCallEvent(context: InvocationContext): Event | undefined {
  const last = lastEvent(context);
  if (!last || !hasFunctionCalls(last)) return undefined;
  // What a human or an outside system has to answer is waited for, not run again.
  return last.longRunningToolIds?.length ? undefined : last;
}

/** In a resumed app: the agent that was handed over to when its earlier segment ended, before it said anything (B54). */
export function unfollowedTransfer(context: InvocationContext): string | undefined {
  const last = lastEvent(context);
  return last && context.agentStates?.isFromBefore(last) ? last.actions.transferToAgent : undefined;
}

/** What the invocation last said on this branch, if it was this agent. */
function lastEvent(context: InvocationContext): Event | undefined {
  if (!context.agentStates) return undefined;
  const last = context.session.events.findLast(
    ({ invocationId, branch, actions }) =>
      // What was summarised in this very round says nothing about where the last one was cut.
      invocationId === context.invocationId && branch === context.branch && !actions.compaction,
  );
  return last?.author === context.agentName ? last : undefined;
}
