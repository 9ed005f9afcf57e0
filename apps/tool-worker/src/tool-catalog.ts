import { type EventActions, type ToolCallMessage } from '@skein/contracts';

/** What a tool is run with. */
export interface ToolRun {
  readonly message: ToolCallMessage;
  /** Aborts on timeout, and when this process cannot wait any longer. */
  readonly signal: AbortSignal;
  /** The tool writes its changes of state and artifacts here. */
  readonly actions: EventActions;
}

export interface RunnableTool {
  run(run: ToolRun): Promise<unknown>;
}

/** Port to the tools of the apps this worker serves. */
export abstract class ToolCatalog {
  /** The tool a call is for, or nothing when this worker does not know it; throws an AdkError when its app is broken. */
  abstract find(message: ToolCallMessage): Promise<RunnableTool | undefined>;
}
