import { AdkError, type ToolOutcome } from '@skein/contracts';
import { type Context } from '../agent/context';
import { describeError } from '../error/describe-error';
import { isDivergence } from '../journal/divergence';
import { storableResult } from './storable-result';
import { ToolActions } from './tool-actions';
import { tellUndeclared } from './tell-undeclared';
import { type ExecutedCall, type ToolCall, ToolExecutor } from './tool-executor';

/** Runs calls in this process: in unit tests, and for tools placed inline. What a worker lacks, its tools lack here too. */
export class InProcessToolExecutor extends ToolExecutor {
  override async execute(call: ToolCall, toolContext: Context): Promise<ExecutedCall> {
    const actions = new ToolActions(toolContext.actions);
    try {
      const outcome = await outcomeOf(call, toolContext);
      tellUndeclared(toolContext.invocationId, call, actions.keep(call.tool));
      return { outcome };
    } catch (error) {
      if (!AdkError.isInstance(error) || isDivergence(error)) throw error;
      // What nobody can store is no failure of the tool's own, here as in a worker: the model is told, and no callback.
      actions.takeBack();
      return { outcome: { kind: 'error', code: error.code, message: error.message } };
    }
  }
}

async function outcomeOf({ tool, args }: ToolCall, toolContext: Context): Promise<ToolOutcome> {
  let value: unknown;
  try {
    const run = async () => tool.runAsync({ args, toolContext });
    value = await (tool.placement === 'inline' ? run() : toolContext.asInWorker(run));
  } catch (error) {
    // Of a run within the tool, and so of the run around it.
    if (isDivergence(error)) throw error;
    return { kind: 'error', code: 'tool.threw', message: describeError(error) };
  }
  return { kind: 'result', value: storableResult(tool.name, value) };
}
