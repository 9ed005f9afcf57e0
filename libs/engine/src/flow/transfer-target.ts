import { AdkError } from '@skein/contracts';
import { type BaseAgent } from '../agent/base-agent';
import { isLlmAgent } from '../agent/is-llm-agent';
import { type LlmAgent } from '../agent/llm-agent';

/** Whom an agent may hand over to: those below it, its parent, and those beside it, as its flags allow (B37). */
export function transferTargets(agent: LlmAgent): BaseAgent[] {
  const parent = agent.parentAgent;
  const targets = [...agent.subAgents];
  // A workflow agent decides itself who runs; nobody hands over to it or past it.
  if (!parent || !isLlmAgent(parent)) return targets;
  if (!agent.disallowTransferToParent) targets.push(parent);
  if (!agent.disallowTransferToPeers) targets.push(...parent.subAgents.filter((peer) => peer !== agent));
  return targets;
}

/** The agent of that name, if this one may hand over to it. Throws `agent.transfer` with the reason why not. */
export function transferTarget(agent: BaseAgent, name: string): BaseAgent {
  const target = agent.rootAgent.findAgent(name);
  const refusal = target ? refusalOf(agent, target) : `Agent ${name} not found in the agent tree.`;
  if (!target || refusal) throw new AdkError('invalid', 'agent.transfer', refusal ?? '');
  return target;
}

function refusalOf(agent: BaseAgent, target: BaseAgent): string | undefined {
  if (target === agent) return `Agent '${agent.name}' cannot transfer to itself.`;
  if (!isLlmAgent(agent)) return `Agent '${agent.name}' has no model that could hand over.`;
  if (transferTargets(agent).includes(target)) return undefined;
  if (target === agent.parentAgent) return `Agent '${agent.name}' may not transfer to its parent.`;
  if (target.parentAgent === agent.parentAgent) return `Agent '${agent.name}' may not transfer to its peers.`;
  return `Cannot transfer from '${agent.name}' to unrelated agent '${target.name}'.`;
}
