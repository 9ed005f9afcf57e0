import { AdkError } from '@skein/contracts';
import { type BaseAgent } from './base-agent';

/** An agent and all below it, parents before children. Throws `agent.cycle` when an agent stands below itself. */
export function* walkAgents(
  agent: BaseAgent,
  above: ReadonlySet<BaseAgent> = new Set(),
): Generator<BaseAgent, void> {
  if (above.has(agent)) {
    throw new AdkError('invalid', 'agent.cycle', `Agent "${agent.name}" is a sub-agent of itself.`);
  }
  yield agent;
  const path = new Set([...above, agent]);
  for (const child of agent.subAgents) yield* walkAgents(child, path);
}

/** The agent of that name at or below `root`. */
export function findAgent(root: BaseAgent, name: string): BaseAgent | undefined {
  for (const agent of walkAgents(root)) if (agent.name === name) return agent;
  return undefined;
}

/** Each agent below the root by name, with the agent it stands below. */
export function parentMap(root: BaseAgent): ReadonlyMap<string, BaseAgent> {
  const parents = new Map<string, BaseAgent>();
  for (const agent of walkAgents(root)) for (const child of agent.subAgents) parents.set(child.name, agent);
  return parents;
}

/**
 * Refuses a tree in which a name would not tell who is meant: events, transfers and resumed runs know agents by name
 * alone (B45). Throws `agent.duplicate-name` or `agent.cycle`.
 */
export function assertAgentTree(root: BaseAgent): void {
  const seen = new Map<string, BaseAgent>();
  for (const agent of walkAgents(root)) {
    const known = seen.get(agent.name);
    if (known) {
      const what = known === agent ? 'stands twice in the tree' : 'has the name of another';
      throw new AdkError(
        'invalid',
        'agent.duplicate-name',
        `Agent "${agent.name}" below "${root.name}" ${what}; names must be unique in a tree.`,
      );
    }
    seen.set(agent.name, agent);
  }
}
