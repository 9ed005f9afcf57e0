import { AdkError, type JsonValue, type ToolCallMessage } from '@skein/contracts';
import { traced } from '@skein/engine';
import { attemptTool } from './attempt-tool';
import { BoundedWait, type CallEnd } from './bounded-wait';
import { withRetry } from './retry-of';
import { type RunnableTool } from '../catalog/tool-catalog';
import { type ExecutedTool, planeError } from './tool-outcome';

export interface ExecuteTool {
  readonly tool: RunnableTool;
  readonly message: ToolCallMessage;
  /** Until the call's deadline, by the clock it was made with. */
  readonly remainingMs: number;
  /** Aborted when this process cannot wait any longer: then somebody else runs the call. */
  readonly stopping: AbortSignal;
  /** Aborted when nobody waits for the call any more. */
  readonly cancelled: AbortSignal;
  readonly resultLimitBytes: number;
  /** Told of a run in this thread that goes on although its call is over, and cannot be ended. */
  readonly leaveBehind?: ((run: Promise<unknown>) => void) | undefined;
  /** Sends how far the call has got, to whoever waits for it. */
  readonly tell: (progress: JsonValue) => void;
}

/**
 * Runs a tool once, no longer than its policy and the call's deadline allow. One that runs in this thread and ignores its
 * signal is left behind: it may go on, but nobody waits. Rejects only when the process is stopping.
 */
export async function executeTool(options: ExecuteTool): Promise<ExecutedTool> {
  const { message, remainingMs, stopping, cancelled } = options;
  const { tool: name, policy } = message.call;
  if (cancelled.aborted) return cancelledCall(name);
  const bounds = {
    waitMs: remainingMs,
    timeoutMs: Math.min(policy.timeoutMs, remainingMs),
    silenceMs: policy.heartbeatTimeoutMs,
  };
  const bound = new BoundedWait({ stopping, cancelled, ...bounds });
  try {
    const running = traced(
      `run_tool ${name}`,
      { 'gen_ai.tool.name': name, 'gen_ai.tool.call.id': message.call.callId },
      () => run(options, bound),
    );
    const done = await Promise.race([running, bound.ended]);
    if (typeof done !== 'string') return done;
    if (!options.tool.runIsolated) options.leaveBehind?.(running);
    return endedCall(options, done, bounds);
  } finally {
    bound.clear();
  }
}

function run(
  { tool, message, resultLimitBytes, tell }: ExecuteTool,
  bound: BoundedWait,
): Promise<ExecutedTool> {
  const reporter = {
    progress: (value: JsonValue) => {
      bound.alive();
      tell(value);
    },
    heartbeat: () => bound.alive(),
  };
  const attempt = { message, signal: bound.signal, reporter };
  if (tool.runIsolated)
    return runIsolated(tool.runIsolated({ ...attempt, begun: () => bound.begin() }), tool, message);
  bound.begin();
  return attemptTool(tool, attempt, resultLimitBytes);
}

/** What ended a thread or a process is an outcome of the call, to be tried again where the author asked for that. */
async function runIsolated(
  running: Promise<ExecutedTool>,
  { retryOn }: RunnableTool,
  { call: { policy } }: ToolCallMessage,
): Promise<ExecutedTool> {
  try {
    return await running;
  } catch (error) {
    const { code, message } = AdkError.from(error);
    return withRetry(planeError(code, message), error, { policy, retryOn });
  }
}

function endedCall(
  { tool: { retryOn }, message: { call } }: ExecuteTool,
  why: CallEnd,
  { timeoutMs, silenceMs }: { readonly timeoutMs: number; readonly silenceMs: number | undefined },
): ExecutedTool {
  const { tool, policy } = call;
  const late = (code: string, message: string): ExecutedTool =>
    withRetry(planeError(code, message), new AdkError('deadline', code, message), { policy, retryOn });
  switch (why) {
    case 'timeout':
      return late('tool.timeout', `Tool '${tool}' did not finish within ${timeoutMs} ms.`);
    case 'silence':
      return late('tool.heartbeat', `Tool '${tool}' gave no sign of life for ${silenceMs} ms.`);
    case 'cancelled':
      return cancelledCall(tool);
    case 'stopped':
      throw workerStopping(tool);
  }
}

/** Then somebody else runs the call. */
export function workerStopping(tool: string): AdkError {
  return new AdkError('unavailable', 'worker.stopping', `this worker ends before tool '${tool}'`, {
    retryAfterMs: 0,
  });
}

/** Its result is dropped with the call, so that what a tool that does not listen gives later is nobody's. */
export function cancelledCall(tool: string): ExecutedTool {
  return planeError('tool.cancelled', `The run that called tool '${tool}' was cancelled.`);
}
