import { AdkError, type Event } from '@skein/contracts';
import { BaseAgent, type BaseAgentConfig } from './base-agent';
import { endOfAgentEvent, isPaused, stateEvent } from './checkpoint';
import { type InvocationContext } from './invocation-context';

export interface LoopAgentConfig extends BaseAgentConfig {
  /** How often the sub-agents are run; without it, or with 0, until one of them escalates. */
  readonly maxIterations?: number;
}

/** Runs its sub-agents again and again, until an event that passes through it escalates (B42). */
export class LoopAgent extends BaseAgent<LoopAgentConfig> {
  readonly maxIterations: number;
  override readonly inOrder = true;

  constructor(config: LoopAgentConfig) {
    super(config);
    this.maxIterations = config.maxIterations ?? 0;
    if (!Number.isInteger(this.maxIterations) || this.maxIterations < 0) {
      throw new AdkError(
        'invalid',
        'agent.max-iterations',
        `Agent "${this.name}": maxIterations must be a whole number, 0 or more.`,
      );
    }
  }

  protected override async *runAsyncImpl(context: InvocationContext): AsyncGenerator<Event, void> {
    let { timesLooped, index } = this.#start(context);
    let escalated = this.subAgents.length === 0;
    while (!escalated && (this.maxIterations === 0 || timesLooped < this.maxIterations)) {
      for (const child of this.subAgents.slice(index)) {
        const checkpoint = stateEvent(context, { currentSubAgent: child.name, timesLooped });
        if (checkpoint) yield checkpoint;
        for await (const event of child.runAsync(context)) {
          // Noted, not obeyed at once: the agent that escalates still says what it has left to say (B42).
          escalated ||= event.actions.escalate === true;
          yield event;
        }
        if (isPaused(context)) return;
        if (escalated) break;
      }
      index = 0;
      timesLooped += 1;
      // Each turn of the loop begins its agents anew.
      context.agentStates?.resetBelow(this);
    }
    const end = endOfAgentEvent(context);
    if (end) yield end;
  }

  #start(context: InvocationContext): { timesLooped: number; index: number } {
    const { currentSubAgent, timesLooped } = context.agentStates?.of(this.name) ?? {};
    const index = this.subAgents.findIndex(({ name }) => name === currentSubAgent);
    return { timesLooped: typeof timesLooped === 'number' ? timesLooped : 0, index: Math.max(0, index) };
  }
}
