import { type AnnouncedApp } from '@skein/contracts';
import {
  type BaseAgent,
  CODE_EXECUTION,
  isBaseToolset,
  isLlmAgent,
  isRemoteTool,
  type LlmAgent,
  walkAgents,
} from '@skein/engine';
import { agentsIn } from './tool-of-call';

/** What `toolOfCall` finds below a root, as far as it can be told without a run: the tools of a toolset cannot. */
export function toolsOfApp(root: BaseAgent): AnnouncedApp {
  const agents = [...writtenAgents(root)];
  const tools = agents.flatMap(({ tools: written, codeExecutor }) => [
    ...written.flatMap((tool) => (isBaseToolset(tool) || isRemoteTool(tool) ? [] : [tool.name])),
    ...(codeExecutor ? [CODE_EXECUTION] : []),
  ]);
  return {
    tools: [...new Set(tools)].sort(),
    hasToolsets: agents.some((agent) => agent.tools.some(isBaseToolset)),
  };
}

function* writtenAgents(root: BaseAgent, seen = new Set<BaseAgent>()): Generator<LlmAgent, void> {
  for (const agent of walkAgents(root)) {
    if (seen.has(agent) || !isLlmAgent(agent)) continue;
    seen.add(agent);
    yield agent;
    for (const inner of agentsIn(agent.tools)) yield* writtenAgents(inner, seen);
  }
}
