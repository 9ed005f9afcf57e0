import { type AnnouncedApp } from '@skein/contracts';
import { type BaseAgent, CODE_EXECUTION, isBaseToolset, isRemoteTool } from '@skein/engine';
import { writtenAgents } from './tool-of-call';

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
