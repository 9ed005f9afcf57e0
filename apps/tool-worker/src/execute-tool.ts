import { AdkError, type ToolCallMessage } from '@skein/contracts';
import { createEventActions, traced } from '@skein/engine';
import { type RunnableTool } from './tool-catalog';
import { type ExecutedTool, planeError, resultOf, thrownOf } from './tool-outcome';

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
}

const TIMED_OUT = Symbol('timed out');
const STOPPED = Symbol('stopped');
const CANCELLED = Symbol('cancelled');

type End = typeof TIMED_OUT | typeof STOPPED | typeof CANCELLED;

/**
 * Runs a tool once, no longer than its policy and the call's deadline allow. A tool that ignores its signal is left
 * behind: it may go on, but nobody waits. Rejects only when the process is stopping.
 */
export async function executeTool(options: ExecuteTool): Promise<ExecutedTool> {
  const { tool, message, remainingMs, stopping, cancelled, resultLimitBytes } = options;
  const { tool: name, policy } = message.call;
  if (cancelled.aborted) return cancelledCall(name);
  const timeoutMs = Math.min(policy.timeoutMs, remainingMs);
  const actions = createEventActions();
  const bound = new BoundedWait(timeoutMs, { stopping, cancelled });
  try {
    const running = traced(
      `run_tool ${name}`,
      { 'gen_ai.tool.name': name, 'gen_ai.tool.call.id': message.call.callId },
      () => tool.run({ message, signal: bound.signal, actions }),
    );
    const value = await Promise.race([running, bound.ended]);
    if (value === TIMED_OUT)
      return planeError('tool.timeout', `Tool '${name}' did not finish within ${timeoutMs} ms.`);
    if (value === STOPPED) throw workerStopping(name);
    if (value === CANCELLED) return cancelledCall(name);
    return resultOf(name, value, actions, resultLimitBytes);
  } catch (error) {
    if (stopping.aborted) throw workerStopping(name);
    return thrownOf(name, error, actions, resultLimitBytes);
  } finally {
    bound.clear();
  }
}

/** Ends a wait at a time or at a signal, whichever is first, and tells the tool through a signal of its own. */
class BoundedWait {
  readonly #controller = new AbortController();
  readonly signal = this.#controller.signal;
  readonly ended: Promise<End>;
  readonly #over = new AbortController();

  constructor(timeoutMs: number, { stopping, cancelled }: Pick<ExecuteTool, 'stopping' | 'cancelled'>) {
    let end: (why: End) => void = () => undefined;
    this.ended = new Promise((resolve) => (end = resolve));
    const timer = setTimeout(() => this.#abort(() => end(TIMED_OUT), 'TimeoutError'), timeoutMs);
    this.#over.signal.addEventListener('abort', () => clearTimeout(timer));
    for (const [signal, why] of [
      [stopping, STOPPED],
      [cancelled, CANCELLED],
    ] as const) {
      const stop = (): void => this.#abort(() => end(why), 'AbortError');
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true, signal: this.#over.signal });
    }
  }

  clear(): void {
    this.#over.abort();
  }

  /** The end is told first, so that a tool which throws at its signal does not win the race with that. */
  #abort(end: () => void, name: string): void {
    end();
    this.#controller.abort(new DOMException('The tool call was ended.', name));
  }
}

function workerStopping(tool: string): AdkError {
  return new AdkError('unavailable', 'worker.stopping', `this worker ends before tool '${tool}'`, {
    retryAfterMs: 0,
  });
}

/** Its result is dropped with the call, so that what a tool that does not listen gives later is nobody's. */
function cancelledCall(tool: string): ExecutedTool {
  return planeError('tool.cancelled', `The run that called tool '${tool}' was cancelled.`);
}
