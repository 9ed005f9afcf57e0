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
  readonly resultLimitBytes: number;
}

const TIMED_OUT = Symbol('timed out');
const STOPPED = Symbol('stopped');

/**
 * Runs a tool once, no longer than its policy and the call's deadline allow. A tool that ignores its signal is left
 * behind: it may go on, but nobody waits. Rejects only when the process is stopping.
 */
export async function executeTool(options: ExecuteTool): Promise<ExecutedTool> {
  const { tool, message, remainingMs, stopping, resultLimitBytes } = options;
  const { tool: name, policy } = message.call;
  const timeoutMs = Math.min(policy.timeoutMs, remainingMs);
  const actions = createEventActions();
  const bound = new BoundedWait(timeoutMs, stopping);
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
  readonly ended: Promise<typeof TIMED_OUT | typeof STOPPED>;
  readonly #timer: NodeJS.Timeout;
  readonly #stop: () => void;

  constructor(
    timeoutMs: number,
    private readonly stopping: AbortSignal,
  ) {
    let end: (why: typeof TIMED_OUT | typeof STOPPED) => void = () => undefined;
    this.ended = new Promise((resolve) => (end = resolve));
    this.#timer = setTimeout(() => this.#abort(() => end(TIMED_OUT), 'TimeoutError'), timeoutMs);
    this.#stop = () => this.#abort(() => end(STOPPED), 'AbortError');
    if (stopping.aborted) this.#stop();
    else stopping.addEventListener('abort', this.#stop, { once: true });
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.stopping.removeEventListener('abort', this.#stop);
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
