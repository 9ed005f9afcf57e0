import { type EventActions, type JsonValue, type ToolCallMessage } from '@skein/contracts';
import { type ExecutedTool } from '../calls/tool-outcome';

/** Where a call tells of itself while it runs; it neither waits nor throws. */
export interface CallReporter {
  progress(value: JsonValue): void;
  heartbeat(): void;
}

/** One attempt of a call. */
export interface ToolAttempt {
  readonly message: ToolCallMessage;
  /** Aborts on timeout and cancel, and when this process cannot wait any longer. */
  readonly signal: AbortSignal;
  readonly reporter: CallReporter;
}

/** What a tool is run with. */
export interface ToolRun extends ToolAttempt {
  /** The tool writes its changes of state and artifacts here. */
  readonly actions: EventActions;
}

export interface IsolatedAttempt extends ToolAttempt {
  /** Told once the tool begins: what is before that does not count as its time. */
  begun(): void;
}

export interface RunnableTool {
  run(run: ToolRun): Promise<unknown>;
  /** Whether a failure is worth another attempt; absent where the author asked for none. */
  readonly retryOn?: ((error: unknown) => boolean) | undefined;
  /** In a thread or process of its own, where it has to: ends soon after its signal aborts; rejects when that ended first. */
  readonly runIsolated?: (attempt: IsolatedAttempt) => Promise<ExecutedTool>;
}

/** Port to the tools of the apps this worker serves. */
export abstract class ToolCatalog {
  /** The tool of a call where nobody has to be asked or waited for; nothing says only that `find` has to look. */
  known(_message: ToolCallMessage): RunnableTool | undefined {
    return undefined;
  }

  /**
   * The tool a call is for, or nothing when this worker does not know it. Throws an AdkError when its app is broken,
   * `unavailable` when a toolset cannot be asked now. The signal aborts when nobody waits for the answer any more.
   */
  abstract find(message: ToolCallMessage, signal: AbortSignal): Promise<RunnableTool | undefined>;
}
