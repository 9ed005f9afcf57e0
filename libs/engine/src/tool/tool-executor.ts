import { type ToolExecution, type ToolOutcome } from '@skein/contracts';
import { type Context } from '../agent/context';
import { type BaseTool } from './base-tool';

/** One call of a turn, ready to run: checked, and past every before_tool callback. */
export interface ToolCall {
  readonly dispatchId: string;
  readonly stepKey: string;
  /** Its place among the calls of the turn. */
  readonly index: number;
  readonly callId: string;
  readonly agentName: string;
  readonly tool: BaseTool;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What running a call gave. What the tool did to state and artifacts is in the context's actions by then. */
export interface ExecutedCall {
  readonly outcome: ToolOutcome;
  /** Which process ran it; absent when that was this one. */
  readonly execution?: ToolExecution;
}

/** Port that runs tool calls, here or elsewhere. It answers a failure of the tool or of the plane, and throws neither. */
export abstract class ToolExecutor {
  /** Runs one call after everything staged before it is stored; aborting the context's signal ends the wait. */
  abstract execute(call: ToolCall, toolContext: Context): Promise<ExecutedCall>;
}
