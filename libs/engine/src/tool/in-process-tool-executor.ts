import { type Context } from '../agent/context';
import { describeError } from '../error/describe-error';
import { cleanJson, MAX_RESULT_DEPTH } from '../json/clean-json';
import { type ExecutedCall, type ToolCall, ToolExecutor } from './tool-executor';

/** Runs calls in this process: in unit tests, and for tools placed inline. */
export class InProcessToolExecutor extends ToolExecutor {
  override async execute(call: ToolCall, toolContext: Context): Promise<ExecutedCall> {
    try {
      const value = await call.tool.runAsync({ args: call.args, toolContext });
      return { outcome: { kind: 'result', value: cleanJson(value ?? null, MAX_RESULT_DEPTH) } };
    } catch (error) {
      return { outcome: { kind: 'error', code: 'tool.threw', message: describeError(error) } };
    }
  }
}
