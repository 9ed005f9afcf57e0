import { type EventActions, type FunctionCall, type ToolExecution } from '@skein/contracts';
import { firstAnswer } from '../agent/callbacks';
import { Context } from '../agent/context';
import { type InvocationContext } from '../agent/invocation-context';
import { type LlmAgent } from '../agent/llm-agent';
import { createEventActions } from '../event/create-event';
import { type LlmRequest } from '../model/llm-request';
import { traced } from '../telemetry/trace';
import { type BaseTool } from '../tool/base-tool';
import { ToolError, UnknownTool } from './tool-error';

export interface CallOfTurn {
  readonly call: FunctionCall;
  readonly index: number;
  readonly stepKey: string;
  readonly dispatchId: string;
  /** Aborts with the round: on cancel, and when a sibling fails the run. */
  readonly signal: AbortSignal;
}

export interface AnsweredCall {
  readonly callId: string;
  readonly tool: string;
  readonly response: Record<string, unknown>;
  readonly actions: EventActions;
  readonly execution?: ToolExecution | undefined;
}

type Dict = Record<string, unknown>;

interface RunningCall extends CallOfTurn {
  readonly agent: LlmAgent;
  readonly context: InvocationContext;
  readonly tool: BaseTool;
  /** A copy: what before_tool changes is executed, the stored call event stays (B27). */
  readonly args: Dict;
  readonly toolContext: Context;
}

/** Answers one call: callbacks and checks here, the tool wherever it is placed (B27). No answer for B29. */
export async function answerCall(
  agent: LlmAgent,
  context: InvocationContext,
  request: LlmRequest,
  turn: CallOfTurn,
): Promise<AnsweredCall | undefined> {
  const { call, dispatchId, signal } = turn;
  const callId = call.id ?? dispatchId;
  const tool = findTool(request, call.name);
  const toolContext = new Context(context, {
    actions: createEventActions(),
    functionCallId: callId,
    idempotencyKey: dispatchId,
    signal,
  });
  const running = { ...turn, agent, context, tool, args: structuredClone(call.args ?? {}), toolContext };

  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool.name,
    'gen_ai.tool.description': tool.description,
    'gen_ai.tool.type': tool.constructor.name,
    'gen_ai.tool.call.id': callId,
  };
  const { result, execution } = await traced(`execute_tool ${tool.name}`, attributes, () =>
    runWithCallbacks(running),
  );
  if (tool.isLongRunning && isEmpty(result)) return undefined;
  return { callId, tool: tool.name, response: asResponse(result), actions: toolContext.actions, execution };
}

/** Only what was put there: a model may ask for `toString`, which every object has. */
function findTool({ toolsDict }: LlmRequest, name: string): BaseTool {
  const tool = Object.hasOwn(toolsDict, name) ? toolsDict[name] : undefined;
  return tool ?? new UnknownTool(name, Object.keys(toolsDict));
}

async function runWithCallbacks(
  running: RunningCall,
): Promise<{ result: unknown; execution?: ToolExecution | undefined }> {
  const { agent, tool, args, toolContext } = running;
  const { beforeToolCallback, afterToolCallback, onToolErrorCallback } = agent.callbacks;
  const params = { tool, args, context: toolContext };

  let result: unknown = await firstAnswer(beforeToolCallback, params);
  let execution: ToolExecution | undefined;
  if (result === undefined) {
    const executed = await checkAndExecute(running);
    execution = executed.execution;
    result = executed.result;
    if (executed.error) {
      result = await firstAnswer(onToolErrorCallback, { ...params, error: executed.error });
      if (result === undefined && agent.toolErrors === 'raise') throw executed.error;
      result ??= { error: executed.error.message };
    }
  }
  const replaced = await firstAnswer(afterToolCallback, { ...params, response: asResponse(result) });
  return { result: replaced ?? result, execution };
}

interface Executed {
  readonly result?: unknown;
  readonly execution?: ToolExecution | undefined;
  /** The tool itself failed. What the tool plane could not do is a result the model reads, never this. */
  readonly error?: Error;
}

async function checkAndExecute(running: RunningCall): Promise<Executed> {
  const { context, tool, toolContext } = running;
  if (tool instanceof UnknownTool) return { error: tool.error };
  const refusal = tool.refuseArguments(running.args);
  if (refusal !== undefined) return { result: { error: refusal } };

  const { outcome, execution } = await context.invocation.toolExecutor.execute(
    {
      dispatchId: running.dispatchId,
      stepKey: running.stepKey,
      index: running.index,
      callId: toolContext.functionCallId ?? running.dispatchId,
      agentName: running.agent.name,
      tool,
      args: running.args,
    },
    toolContext,
  );
  if (outcome.kind === 'result') return { result: outcome.value, execution };
  if (outcome.code === 'tool.threw' || outcome.code === 'tool.unknown') {
    return { error: new ToolError(outcome.code, outcome.message), execution };
  }
  return { result: { error: outcome.message }, execution };
}

/** A function response is an object: anything else goes below `result` (B29). */
function asResponse(result: unknown): Dict {
  const isObject = typeof result === 'object' && result !== null && !Array.isArray(result);
  return isObject ? (result as Dict) : { result: result ?? null };
}

/** Falsy as the reference means it: nothing, an empty text, 0, false, an empty object or list. */
function isEmpty(result: unknown): boolean {
  if (!result) return true;
  return typeof result === 'object' && Object.keys(result).length === 0;
}
