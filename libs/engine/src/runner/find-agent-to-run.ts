import { type Event } from '@skein/contracts';
import { type BaseAgent } from '../agent/base-agent';
import { isLlmAgent } from '../agent/is-llm-agent';
import { branchSegment, isParallelAgent } from '../agent/parallel-agent';
import { applyRewinds } from '../flow/contents/apply-rewinds';

export interface AgentToRun {
  readonly agent: BaseAgent;
  /** Where it stands; nothing for an agent below no parallel one. */
  readonly branch: string | undefined;
}

interface Question {
  readonly root: BaseAgent;
  readonly events: readonly Event[];
  /** The event whose calls this segment's message answers. */
  readonly answered: Event | undefined;
  readonly isResumable: boolean;
}

/**
 * The agent that answers (B49). An answer to a call goes to whoever called; of a resumable app to the workflow it stands
 * in, which goes on behind it. Everything else goes to the last agent that spoke, if it may hand the conversation back
 * up to the root, else to the root.
 */
export function findAgentToRun({ root, events, answered, isResumable }: Question): AgentToRun {
  const caller = answered && root.findAgent(answered.author);
  if (caller)
    return isResumable
      ? outermostWorkflow(caller, answered.branch)
      : { agent: caller, branch: answered.branch };
  return { agent: lastSpeaker(root, events), branch: undefined };
}

function lastSpeaker(root: BaseAgent, events: readonly Event[]): BaseAgent {
  for (let index = events.length - 1; index >= 0; index--) {
    const { author = 'user', actions } = events[index] ?? {};
    // What was taken back nobody said (B1); only what stands before the marker was.
    if (actions?.rewindBeforeInvocationId !== undefined) return lastSpeaker(root, applyRewinds(events));
    if (author === 'user' || actions?.agentState || actions?.endOfAgent) continue;
    const agent = root.findAgent(author);
    if (agent === root || (agent && canReturnToRoot(agent))) return agent;
  }
  return root;
}

/** Agents with a model hand over by calls; through any other nobody gets back to the root. */
function canReturnToRoot(agent: BaseAgent): boolean {
  if (!isLlmAgent(agent) || agent.disallowTransferToParent) return false;
  return !agent.parentAgent || canReturnToRoot(agent.parentAgent);
}

/** The workflow a caller stands in, with its own branch: what parallel agents on the way down added is taken off. */
function outermostWorkflow(agent: BaseAgent, branch: string | undefined): AgentToRun {
  const parent = agent.parentAgent;
  if (!parent || isLlmAgent(parent)) return { agent, branch };
  const segment = branchSegment(parent, agent);
  if (!isParallelAgent(parent)) return outermostWorkflow(parent, branch);
  return outermostWorkflow(parent, withoutEnd(branch, segment));
}

function withoutEnd(branch: string | undefined, segment: string): string | undefined {
  if (branch === segment) return undefined;
  return branch?.endsWith(`.${segment}`) ? branch.slice(0, -segment.length - 1) : branch;
}
