import { type Event } from '@skein/contracts';
import { BaseAgent } from './base-agent';
import { endOfAgentEvent, isPaused } from './checkpoint';
import { type InvocationContext } from './invocation-context';
import { mergeStreams } from './merge-streams';

const PARALLEL: unique symbol = Symbol.for('skein.ParallelAgent');

/** Runs its sub-agents at the same time, each on a branch of its own, so that none sees what the others say (B43). */
export class ParallelAgent extends BaseAgent {
  readonly [PARALLEL] = true;

  protected override async *runAsyncImpl(context: InvocationContext): AsyncGenerator<Event, void> {
    const children = this.subAgents.filter(({ name }) => !context.agentStates?.hasEnded(name));
    const siblings = new AbortController();
    const signal = AbortSignal.any([context.signal, siblings.signal]);
    // A failure ends the agents beside it too: nobody reads what they would still say (B43).
    const endSiblings = (): void =>
      siblings.abort(new DOMException('An agent beside this one ended the run.', 'AbortError'));
    try {
      const streams = children.map((child) =>
        child.runAsync(context, { branch: branchBelow(this, child, context.branch), signal }),
      );
      const lines = context.replay.fork(streams.length);
      yield* mergeStreams(streams, {
        ...lines,
        turnOf: (event) => lines.turnOf(context.ledger.stepOf(event)?.stepKey),
        close: () => {
          // What they wait for counts no more when their lines end.
          endSiblings();
          lines.close();
        },
      });
    } finally {
      endSiblings();
    }
    if (isPaused(context)) return;
    const end = endOfAgentEvent(context);
    if (end) yield end;
  }
}

/** Whether an agent gives each of those below it a branch of its own; also when it came from another copy. */
export function isParallelAgent(agent: BaseAgent): boolean {
  return PARALLEL in agent;
}

/** The end of the branch an agent has below a parallel one (B43). */
export function branchSegment(parent: BaseAgent, child: BaseAgent): string {
  return `${parent.name}.${child.name}`;
}

function branchBelow(parent: BaseAgent, child: BaseAgent, branch: string | undefined): string {
  const own = branchSegment(parent, child);
  return branch ? `${branch}.${own}` : own;
}
