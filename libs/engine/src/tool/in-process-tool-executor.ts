import { AdkError, type ToolOutcome } from '@skein/contracts';
import { type Context } from '../agent/context';
import { describeError } from '../error/describe-error';
import { storableResult } from './storable-result';
import { type ExecutedCall, type ToolCall, ToolExecutor } from './tool-executor';

/** Runs calls in this process: in unit tests, and for tools placed inline. */
export class InProcessToolExecutor extends ToolExecutor {
  override async execute(call: ToolCall, toolContext: Context): Promise<ExecutedCall> {
    let value: unknown;
    try {
      value = await call.tool.runAsync({ args: call.args, toolContext });
    } catch (error) {
      return { outcome: { kind: 'error', code: 'tool.threw', message: describeError(error) } };
    }
    return { outcome: outcomeOf(call.tool.name, value) };
  }
}

/** A result nobody can store is no failure of the tool's own, here as in a worker: the model is told, and no callback. */
function outcomeOf(tool: string, value: unknown): ToolOutcome {
  try {
    return { kind: 'result', value: storableResult(tool, value) };
  } catch (error) {
    if (!AdkError.isInstance(error)) throw error;
    return { kind: 'error', code: error.code, message: error.message };
  }
}
