import { ReadonlyContext } from '../agent/readonly-context';
import { type ContextScope } from '../agent/context-scope';
import { type LlmAgent } from '../agent/llm-agent';
import { describeError } from '../error/describe-error';
import { warn } from '../telemetry/warn';
import { type BaseTool, isBaseTool } from '../tool/base-tool';
import { type BaseToolset, isBaseToolset } from '../tool/base-toolset';

/** An agent's tools as they are now: toolsets are asked at the same time, one that fails is told of and left out. */
export async function resolveTools(agent: LlmAgent, scope: ContextScope): Promise<readonly BaseTool[]> {
  // At every model call, and most agents have no toolset.
  if (agent.tools.every(isBaseTool)) return [...agent.tools];
  const context = new ReadonlyContext(scope);
  const resolved = await Promise.all(
    agent.tools.map(async (tool) => {
      if (!isBaseToolset(tool)) return [tool];
      try {
        return await toolsOf(tool, context);
      } catch (error) {
        warn('a toolset could not give its tools', {
          agent: agent.name,
          toolset: tool.constructor.name,
          invocationId: scope.invocationId,
          reason: describeError(error),
        });
        return [];
      }
    }),
  );
  return resolved.flat();
}

async function toolsOf(toolset: BaseToolset, context: ReadonlyContext): Promise<readonly BaseTool[]> {
  const tools = await toolset.getToolsWithPrefix(context);
  if (Array.isArray(tools) && tools.every(isBaseTool)) return tools;
  throw new TypeError('It gave something that is not a tool.');
}
