import { walkAgents } from '../agent/agent-tree';
import { type BaseAgent } from '../agent/base-agent';
import { isLlmAgent } from '../agent/is-llm-agent';
import { describeError } from '../error/describe-error';
import { AgentTool } from './agent-tool';
import { type BaseToolset, isBaseToolset } from './base-toolset';

/** Closes the toolsets of an agent, of all below it and of those that run as their tools, each once; answers why some could not be. */
export async function closeToolsets(root: BaseAgent): Promise<string[]> {
  return failuresOf(root, (toolset) => toolset.close());
}

/** The same with what they open again by themselves: they may be used after it. */
export async function closeIdleToolsets(root: BaseAgent): Promise<string[]> {
  return failuresOf(root, (toolset) => toolset.closeIdle());
}

async function failuresOf(
  root: BaseAgent,
  release: (toolset: BaseToolset) => Promise<void>,
): Promise<string[]> {
  const toolsets = [...new Set(toolsetsBelow(root))];
  const released = await Promise.allSettled(toolsets.map(async (toolset) => release(toolset)));
  return released.flatMap((outcome) =>
    outcome.status === 'rejected' ? [describeError(outcome.reason)] : [],
  );
}

function* toolsetsBelow(root: BaseAgent, seen = new Set<BaseAgent>()): Generator<BaseToolset, void> {
  for (const agent of walkAgents(root)) {
    if (seen.has(agent) || !isLlmAgent(agent)) continue;
    seen.add(agent);
    for (const tool of agent.tools) {
      if (isBaseToolset(tool)) yield tool;
      else if (tool instanceof AgentTool) yield* toolsetsBelow(tool.agent, seen);
    }
  }
}
