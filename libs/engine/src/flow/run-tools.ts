import { type Event, type FunctionCall } from '@skein/contracts';
import { type InvocationContext } from '../agent/invocation-context';
import { type LlmAgent } from '../agent/llm-agent';
import { createEventActions } from '../event/create-event';
import { getFunctionCalls } from '../event/function-parts';
import { dispatchIdOf } from '../journal/event-id';
import { type LlmRequest } from '../model/llm-request';
import { type AnsweredCall, answerCall } from './answer-call';
import { mergeResponses } from './merge-responses';

/** One answer of a model may not set the whole fleet to work (security 30). */
const MAX_CALLS_PER_TURN = 32;

/**
 * The tool round of one model event: its calls run at the same time and are answered in one event, in the order of the
 * calls (B26). No event when every call is long-running and has no result yet (B29).
 */
export async function runTools(
  agent: LlmAgent,
  context: InvocationContext,
  request: LlmRequest,
  callEvent: Event,
): Promise<Event | undefined> {
  const stepKey = context.frame.step('tools');
  const calls = getFunctionCalls(callEvent);
  const appliedCalls = calls.map((_call, index) => dispatchIdOf(context.invocationId, stepKey, index));
  const stored = context.storedEvent({ stepKey, appliedCalls });
  if (stored) return stored;
  if (context.invocation.journal.wasEmpty(stepKey)) return undefined;

  const round = new AbortController();
  const signal = AbortSignal.any([context.signal, round.signal]);
  const answers = await Promise.all(
    calls.map(async (call, index) => {
      if (index >= MAX_CALLS_PER_TURN) return tooManyCalls(call, calls.length);
      const dispatchId = dispatchIdOf(context.invocationId, stepKey, index);
      return answerCall(agent, context, request, { call, index, stepKey, dispatchId, signal });
    }),
  ).catch((thrown: unknown) => {
    // The run fails with this call, so nobody will read what its siblings give (B26).
    round.abort(thrown);
    throw thrown;
  });
  const answered = answers.filter((answer): answer is AnsweredCall => answer !== undefined);
  if (answered.length === 0) {
    context.invocation.journal.stageEmpty(stepKey, appliedCalls);
    return undefined;
  }
  return context.createStepEvent({ stepKey, appliedCalls }, mergeResponses(answered));
}

/** The model reads that its call was not run, and may ask again in its next answer. */
function tooManyCalls({ id = '', name }: FunctionCall, count: number): AnsweredCall {
  const error = `Not run: ${count} calls in one turn, of which the first ${MAX_CALLS_PER_TURN} were run.`;
  return { callId: id, tool: name, response: { error }, actions: createEventActions() };
}
