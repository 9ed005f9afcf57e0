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
  resolveTools,
  type ToolUnion,
  walkAgents,
} from '@skein/engine';

/** The tool a call is for: of the agent that called, wherever it stands below the root, as a tool's agent too. */
export async function toolOfCall(
  root: BaseAgent,
  { agentName, tool }: ToolCallMessage['call'],
  scope: ContextScope,
): Promise<BaseTool | undefined> {
  for await (const agent of llmAgents(root, scope)) {
    const found = agent.name === agentName ? await toolOf(agent, tool, scope) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** Toolsets are asked only for what is not written down: most calls are for a tool that is. */
async function toolOf(agent: LlmAgent, name: string, scope: ContextScope): Promise<BaseTool | undefined> {
  if (name === CODE_EXECUTION) return agent.codeExecutor && new CodeExecutionTool(agent.codeExecutor);
  return named(name, agent.tools) ?? named(name, await resolveTools(agent, scope));
}

function named(name: string, tools: readonly ToolUnion[]): BaseTool | undefined {
  return tools.find((tool): tool is BaseTool => !isBaseToolset(tool) && tool.name === name);
}

/** Every agent with a model, those that run as tools included; an agent that reaches itself is told once. */
async function* llmAgents(
  root: BaseAgent,
  scope: ContextScope,
  seen = new Set<BaseAgent>(),
): AsyncGenerator<LlmAgent, void> {
  const withToolsets: LlmAgent[] = [];
  for (const agent of walkAgents(root)) {
    if (seen.has(agent) || !isLlmAgent(agent)) continue;
    seen.add(agent);
    yield agent;
    for (const inner of agentsIn(agent.tools)) yield* llmAgents(inner, scope, seen);
    if (agent.tools.some(isBaseToolset)) withToolsets.push(agent);
  }
  // Last, because it may take a request to somewhere: hardly any toolset has agents.
  for (const agent of withToolsets) {
    for (const inner of agentsIn(await resolveTools(agent, scope))) yield* llmAgents(inner, scope, seen);
  }
}

/** The agents among an agent's tools. */
export function agentsIn(tools: readonly ToolUnion[]): BaseAgent[] {
  return tools.flatMap((tool) => (tool instanceof AgentTool ? [tool.agent] : []));
}
