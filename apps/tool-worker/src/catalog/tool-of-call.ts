import { AdkError, type ToolCallMessage } from '@skein/contracts';
import {
  AgentTool,
  type BaseAgent,
  type BaseTool,
  CODE_EXECUTION,
  CodeExecutionTool,
  type ContextScope,
  describeError,
  isBaseToolset,
  isLlmAgent,
  isRemoteTool,
  type LlmAgent,
  ReadonlyContext,
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

/** The same tool where the tree says it: of the first agent of the name, which is the one that called in most. */
export function writtenTool(
  root: BaseAgent,
  { agentName, tool }: ToolCallMessage['call'],
): BaseTool | undefined {
  if (tool === CODE_EXECUTION) return undefined;
  for (const agent of writtenAgents(root)) if (agent.name === agentName) return named(tool, agent.tools);
  return undefined;
}

/** Every agent with a model that the tree itself names, those that run as tools included. */
export function* writtenAgents(root: BaseAgent, seen = new Set<BaseAgent>()): Generator<LlmAgent, void> {
  for (const agent of walkAgents(root)) {
    if (seen.has(agent) || !isLlmAgent(agent)) continue;
    seen.add(agent);
    yield agent;
    for (const inner of agentsIn(agent.tools)) yield* writtenAgents(inner, seen);
  }
}

/** Toolsets are asked only for what is not written down: most calls are for a tool that is. */
async function toolOf(agent: LlmAgent, name: string, scope: ContextScope): Promise<BaseTool | undefined> {
  if (name === CODE_EXECUTION) return agent.codeExecutor && new CodeExecutionTool(agent.codeExecutor);
  return (
    named(name, agent.tools) ??
    named(name, await resolveTools(agent, scope)) ??
    (await listedAnew(agent, name, scope))
  );
}

/**
 * The runner may have seen a newer list than this worker remembers. Rejects with why a toolset could not give its tools
 * where the tool is in no other one.
 */
async function listedAnew(agent: LlmAgent, name: string, scope: ContextScope): Promise<BaseTool | undefined> {
  const toolsets = agent.tools.filter(isBaseToolset);
  for (const toolset of toolsets) toolset.refresh();
  const context = new ReadonlyContext(scope);
  const asked = toolsets.map(async (toolset) => toolset.getToolsWithPrefix(context));
  const listed = await Promise.allSettled(asked);
  const tools = listed.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
  const found = named(name, tools);
  const failure = listed.find((outcome) => outcome.status === 'rejected');
  if (!found && failure) throw away(failure.reason);
  return found;
}

/** For now: another attempt may find it, after as long as the toolset's own error says. */
function away(cause: unknown): AdkError {
  const reason = `a toolset could not give its tools: ${describeError(cause)}`;
  const { retryAfterMs } = AdkError.from(cause);
  return new AdkError('unavailable', 'tool.unknown', reason, { cause, retryAfterMs });
}

function named(name: string, tools: readonly ToolUnion[]): BaseTool | undefined {
  // Of one without code here another worker knows more.
  return tools.find(
    (tool): tool is BaseTool => !isBaseToolset(tool) && tool.name === name && !isRemoteTool(tool),
  );
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
function agentsIn(tools: readonly ToolUnion[]): BaseAgent[] {
  return tools.flatMap((tool) => (tool instanceof AgentTool ? [tool.agent] : []));
}
