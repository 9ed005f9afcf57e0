import { type ToolCallMessage } from '@skein/contracts';
import {
  AgentTool,
  type BaseAgent,
  type BaseTool,
  CODE_EXECUTION,
  CodeExecutionTool,
  type ContextScope,
  isBaseToolset,
  isLlmAgent,
  type LlmAgent,
  ReadonlyContext,
  walkAgents,
} from '@skein/engine';

/** The tool a call is for: of the agent that called, wherever it stands below the root, as a tool's agent too. */
export async function toolOfCall(
  root: BaseAgent,
  { agentName, tool }: ToolCallMessage['call'],
  scope: ContextScope,
): Promise<BaseTool | undefined> {
  for (const agent of llmAgents(root)) {
    const found = agent.name === agentName ? await toolOf(agent, tool, scope) : undefined;
    if (found) return found;
  }
  return undefined;
}

async function toolOf(agent: LlmAgent, name: string, scope: ContextScope): Promise<BaseTool | undefined> {
  if (name === CODE_EXECUTION) return agent.codeExecutor && new CodeExecutionTool(agent.codeExecutor);
  for (const tool of agent.tools) {
    // Asked one after the other: most calls are for a tool that stands before any toolset.
    const tools = isBaseToolset(tool) ? await tool.getToolsWithPrefix(new ReadonlyContext(scope)) : [tool];
    const found = tools.find((candidate) => candidate.name === name);
    if (found) return found;
  }
  return undefined;
}

/** Every agent with a model, those that run as tools included; an agent that reaches itself is told once. */
function* llmAgents(root: BaseAgent, seen = new Set<BaseAgent>()): Generator<LlmAgent, void> {
  for (const agent of walkAgents(root)) {
    if (seen.has(agent) || !isLlmAgent(agent)) continue;
    seen.add(agent);
    yield agent;
    for (const tool of agent.tools) if (tool instanceof AgentTool) yield* llmAgents(tool.agent, seen);
  }
}
