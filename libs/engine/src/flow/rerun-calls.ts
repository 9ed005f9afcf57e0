import { type Event, type FunctionCall, type ToolConfirmation } from '@skein/contracts';
import { type InvocationContext } from '../agent/invocation-context';
import { type LlmAgent } from '../agent/llm-agent';
import { createRequest } from './create-request';
import { toolsProcessor } from './processors/tools';
import { isStream } from './request-processor';
import { runToolRound } from './run-tool-round';
import { ranSinceAnswer } from './user-answers';

/** A call that waited for the user, and the question he answered. */
export interface WaitingCall {
  readonly request: FunctionCall;
  readonly call: FunctionCall;
  readonly confirmation?: ToolConfirmation | undefined;
}

/** Runs calls of an earlier round that waited for the user, under their own ids; each of them once. */
export async function* rerunCalls(
  agent: LlmAgent,
  context: InvocationContext,
  waiting: readonly WaitingCall[],
): AsyncGenerator<Event, void> {
  const open = new Map<string, WaitingCall>();
  for (const one of waiting) {
    const { request, call } = one;
    if (call.id === undefined || ranSinceAnswer(context, { request, callId: call.id })) continue;
    open.set(call.id, one);
  }
  if (open.size === 0) return;
  const request = createRequest(agent, context);
  const made = toolsProcessor.run(agent, context, request);
  if (isStream(made)) yield* made;
  else await made;
  // A tool's toolset may have to ask for something first.
  if (context.endInvocation) return;
  const parts = [...open.values()].map(({ call }) => ({ functionCall: call }));
  const confirmations = new Map<string, ToolConfirmation>();
  for (const [callId, { confirmation }] of open) if (confirmation) confirmations.set(callId, confirmation);
  const callEvent = { content: { role: 'model', parts } };
  yield* runToolRound({ agent, context, toolsDict: request.toolsDict, callEvent, confirmations });
}
