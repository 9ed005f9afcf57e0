import { createEventActions } from '@skein/engine';
import { withRetry } from './retry-of';
import { type RunnableTool, type ToolAttempt } from '../catalog/tool-catalog';
import { type ExecutedTool, resultOf, thrownOf } from './tool-outcome';

/** Runs a tool once, in this thread; what it gives or throws is an outcome, so that this never rejects. */
export async function attemptTool(
  tool: RunnableTool,
  attempt: ToolAttempt,
  resultLimitBytes: number,
): Promise<ExecutedTool> {
  const { tool: name } = attempt.message.call;
  const { message, signal, reporter } = attempt;
  const actions = createEventActions();
  try {
    const value = await tool.run({ message, signal, reporter, actions });
    return resultOf(name, value, actions, resultLimitBytes);
  } catch (error) {
    const { policy } = message.call;
    const failed = thrownOf(name, error, actions, resultLimitBytes);
    return withRetry(failed, error, { policy, retryOn: tool.retryOn });
  }
}
