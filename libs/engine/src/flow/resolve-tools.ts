import { type ContextScope, ReadonlyContext } from '../agent/context';
import { type LlmAgent } from '../agent/llm-agent';
import { describeError } from '../error/describe-error';
import { warn } from '../telemetry/warn';
import { type BaseTool } from '../tool/base-tool';
import { isBaseToolset } from '../tool/base-toolset';

/** An agent's tools as they are now: toolsets are asked at the same time, one that fails is told of and left out. */
export async function resolveTools(agent: LlmAgent, scope: ContextScope): Promise<readonly BaseTool[]> {
  const context = new ReadonlyContext(scope);
  const resolved = await Promise.all(
    agent.tools.map(async (tool) => {
      if (!isBaseToolset(tool)) return [tool];
      try {
        return await tool.getToolsWithPrefix(context);
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
