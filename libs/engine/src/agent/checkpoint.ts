import { type Event } from '@skein/contracts';
import { getFunctionResponses } from '../event/function-parts';
import { isClosing } from '../flow/answers-of';
import { isBranchVisible } from '../flow/contents/branch-visibility';
import { type AgentState } from './agent-states';
import { type InvocationContext } from './invocation-context';

/** The event in which an agent of a resumable app notes where it stands; nothing in other apps (B54). */
export function stateEvent(context: InvocationContext, agentState: AgentState): Event | undefined {
  return checkpoint(context, { agentState: { ...agentState } });
}

/** The event in which an agent of a resumable app notes that it is done (B54). */
export function endOfAgentEvent(context: InvocationContext): Event | undefined {
  return checkpoint(context, { endOfAgent: true });
}

/** Whether an event only notes where an agent of a resumable app stands. */
export function isCheckpoint({ content, actions }: Event): boolean {
  return content === undefined && (actions.agentState !== undefined || actions.endOfAgent === true);
}

function checkpoint(context: InvocationContext, actions: Partial<Event['actions']>): Event | undefined {
  if (!context.agentStates) return undefined;
  const step = { stepKey: context.frame.step('state') };
  return context.ledger.takeStored(step) ?? context.ledger.createStepEvent(step, { actions });
}

/**
 * Whether an agent of a resumable app, or one below it, waits for somebody outside: a long-running call of this
 * invocation that nobody has answered. Until then neither its model is asked nor whatever comes behind it is run (B54).
 */
export function isPaused(context: InvocationContext): boolean {
  if (!context.agentStates) return false;
  const waiting = new Set<string>();
  // In order, because models use one id again: a response belongs to the calls before it.
  for (const event of context.session.events) {
    if (event.invocationId !== context.invocationId) continue;
    if (isOfAgent(event, context)) for (const id of event.longRunningToolIds ?? []) waiting.add(id);
    if (!endsWaiting(event)) continue;
    for (const { id } of getFunctionResponses(event)) if (id) waiting.delete(id);
  }
  return waiting.size > 0;
}

/** What a long-running tool says at once is that it is under way: its answer comes from outside, or never. */
function endsWaiting(event: Event): boolean {
  return event.author === 'user' || isClosing(event);
}

/** Whether the agent itself wrote an event, or one below it, on this activation's branch or further down. */
function isOfAgent({ author, branch }: Event, context: InvocationContext): boolean {
  return context.agent.findAgent(author) !== undefined && isBranchVisible(context.branch, branch);
}
