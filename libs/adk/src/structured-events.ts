import { type Event, type FunctionCall, type FunctionResponse, type Part } from '@skein/contracts';
import { isFinalResponse } from '@skein/engine';

export enum EventType {
  THOUGHT = 'thought',
  CONTENT = 'content',
  TOOL_CALL = 'tool_call',
  TOOL_RESULT = 'tool_result',
  CALL_CODE = 'call_code',
  CODE_RESULT = 'code_result',
  ERROR = 'error',
  ACTIVITY = 'activity',
  TOOL_CONFIRMATION = 'tool_confirmation',
  FINISHED = 'finished',
}

export interface ThoughtEvent {
  type: EventType.THOUGHT;
  content: string;
}
export interface ContentEvent {
  type: EventType.CONTENT;
  content: string;
}
export interface ToolCallEvent {
  type: EventType.TOOL_CALL;
  call: FunctionCall;
}
export interface ToolResultEvent {
  type: EventType.TOOL_RESULT;
  result: FunctionResponse;
}
export interface CallCodeEvent {
  type: EventType.CALL_CODE;
  code: NonNullable<Part['executableCode']>;
}
export interface CodeResultEvent {
  type: EventType.CODE_RESULT;
  result: NonNullable<Part['codeExecutionResult']>;
}
export interface ErrorEvent {
  type: EventType.ERROR;
  error: Error;
}
export interface ActivityEvent {
  type: EventType.ACTIVITY;
  kind: string;
  detail: Record<string, unknown>;
}
export interface ToolConfirmationEvent {
  type: EventType.TOOL_CONFIRMATION;
  confirmations: Record<string, unknown>;
}
export interface FinishedEvent {
  type: EventType.FINISHED;
  output?: unknown;
}
export type StructuredEvent =
  | ThoughtEvent
  | ContentEvent
  | ToolCallEvent
  | ToolResultEvent
  | CallCodeEvent
  | CodeResultEvent
  | ErrorEvent
  | ActivityEvent
  | ToolConfirmationEvent
  | FinishedEvent;

/** What an event says, part by part, for a switch over kinds; an error is all that an event with one says. */
export function toStructuredEvents(event: Event): StructuredEvent[] {
  if (event.errorCode) {
    const message =
      event.errorMessage === undefined || event.errorMessage === '' ? event.errorCode : event.errorMessage;
    return [{ type: EventType.ERROR, error: new Error(message) }];
  }
  const confirmations = event.actions.requestedToolConfirmations;
  return [
    ...(event.content?.parts ?? []).flatMap((part) => structured(part) ?? []),
    ...(Object.keys(confirmations).length > 0
      ? [{ type: EventType.TOOL_CONFIRMATION, confirmations } as const]
      : []),
    ...(isFinalResponse(event) ? [{ type: EventType.FINISHED, output: undefined } as const] : []),
  ];
}

function structured(part: Part): StructuredEvent | undefined {
  const { functionCall, functionResponse, executableCode, codeExecutionResult, text, thought } = part;
  if (functionCall) return { type: EventType.TOOL_CALL, call: functionCall };
  if (functionResponse) return { type: EventType.TOOL_RESULT, result: functionResponse };
  if (executableCode) return { type: EventType.CALL_CODE, code: executableCode };
  if (codeExecutionResult) return { type: EventType.CODE_RESULT, result: codeExecutionResult };
  if (!text) return undefined;
  return thought ? { type: EventType.THOUGHT, content: text } : { type: EventType.CONTENT, content: text };
}
