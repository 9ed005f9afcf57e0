import { warn } from '../telemetry/warn';
import { type ToolCall } from './tool-executor';

/** Has the operator hear of what a tool did in a run and had not declared; none of it was applied. */
export function tellUndeclared(
  invocationId: string,
  { tool, dispatchId }: ToolCall,
  dropped: readonly string[],
): void {
  if (dropped.length === 0) return;
  warn('a tool did what it had not declared', { tool: tool.name, invocationId, dispatchId, dropped });
}
