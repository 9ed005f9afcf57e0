import { type Event } from '@skein/contracts';
import { getFunctionResponses } from '../event/function-parts';
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

function checkpoint(context: InvocationContext, actions: Partial<Event['actions']>): Event | undefined {
  if (!context.agentStates) return undefined;
  const step = { stepKey: context.frame.step('state') };
  return context.storedEvent(step) ?? context.createStepEvent(step, { actions });
}

/** Watches an agent's events for one that a resumable app waits on: a long-running call nobody has answered (B54). */
export class Pause {
  readonly #waiting = new Set<string>();

  constructor(private readonly context: InvocationContext) {}

  observe(event: Event): void {
    if (!this.context.agentStates || event.partial) return;
    for (const id of event.longRunningToolIds ?? []) this.#waiting.add(id);
    for (const { id } of getFunctionResponses(event)) if (id) this.#waiting.delete(id);
  }

  get isPaused(): boolean {
    return this.#waiting.size > 0;
  }
}
