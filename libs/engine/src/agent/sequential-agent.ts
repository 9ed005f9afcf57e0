import { type Event } from '@skein/contracts';
import { BaseAgent } from './base-agent';
import { endOfAgentEvent, isPaused, stateEvent } from './checkpoint';
import { type InvocationContext } from './invocation-context';

/** Runs its sub-agents one after the other. An escalation ends none of those that follow; a pause does (B41). */
export class SequentialAgent extends BaseAgent {
  override readonly inOrder = true;

  protected override async *runAsyncImpl(context: InvocationContext): AsyncGenerator<Event, void> {
    for (const child of this.subAgents.slice(this.#firstToRun(context))) {
      const checkpoint = stateEvent(context, { currentSubAgent: child.name });
      if (checkpoint) yield checkpoint;
      for await (const event of child.runAsync(context)) {
        yield event;
      }
      if (isPaused(context)) return;
    }
    const end = endOfAgentEvent(context);
    if (end) yield end;
  }

  #firstToRun(context: InvocationContext): number {
    const current = context.agentStates?.of(this.name)?.currentSubAgent;
    // An agent that is no longer there was renamed or taken away: then all of them are run.
    return Math.max(
      0,
      this.subAgents.findIndex(({ name }) => name === current),
    );
  }
}
