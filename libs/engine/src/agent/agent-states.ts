import { type Event } from '@skein/contracts';
import { walkAgents } from './agent-tree';
import { type BaseAgent } from './base-agent';

export type AgentState = Readonly<Record<string, unknown>>;

/** Where the agents of a resumable app stood when this segment began, read from the invocation's events (B54). */
export class AgentStates {
  readonly #states = new Map<string, AgentState>();
  readonly #ended = new Set<string>();
  readonly #events: ReadonlySet<Event>;

  constructor(
    events: readonly Event[],
    invocationId: string,
    private readonly root: BaseAgent,
  ) {
    const own = events.filter((event) => event.invocationId === invocationId);
    this.#events = new Set(own);
    for (const event of own) this.#fold(event);
  }

  /** Whether an event of the invocation was there when this segment began. */
  isFromBefore(event: Event): boolean {
    return this.#events.has(event);
  }

  /** The agent was done before; a resume passes it by. */
  hasEnded(agentName: string): boolean {
    return this.#ended.has(agentName);
  }

  of(agentName: string): AgentState | undefined {
    return this.#states.get(agentName);
  }

  /** A turn of a loop begins the agents below it anew. */
  resetBelow(agent: BaseAgent): void {
    for (const child of agent.subAgents) this.reset(child);
  }

  /** Begins an agent and those below it anew. */
  reset(agent: BaseAgent): void {
    for (const { name } of walkAgents(agent)) {
      this.#states.delete(name);
      this.#ended.delete(name);
    }
  }

  #fold({ author, actions, content }: Event): void {
    if (actions.endOfAgent) {
      this.#ended.add(author);
      this.#states.delete(author);
    } else if (actions.agentState) {
      this.#foldState(author, actions.agentState);
    } else if (content) {
      // It ended in an earlier turn of a loop, and was begun again since.
      this.#ended.delete(author);
    }
  }

  #foldState(author: string, state: AgentState): void {
    const before = this.#states.get(author);
    this.#states.set(author, state);
    this.#ended.delete(author);
    const agent = this.root.findAgent(author);
    if (agent && before && before.timesLooped !== state.timesLooped) this.resetBelow(agent);
  }
}
