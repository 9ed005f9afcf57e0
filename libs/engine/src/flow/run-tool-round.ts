import { type Event, type FunctionCall, type ToolConfirmation } from '@skein/contracts';
import { CallSignal } from '../agent/call-signal';
import { type InvocationContext } from '../agent/invocation-context';
import { type LlmAgent } from '../agent/llm-agent';
import { type StepOfEvent } from '../agent/step-of-event';
import { createEventActions } from '../event/create-event';
import { getFunctionCalls } from '../event/function-parts';
import { askedTools } from '../journal/asked';
import { dispatchIdOf } from '../journal/event-id';
import { type LlmRequest } from '../model/llm-request';
import { NO_MODEL_CONTENT, setContent } from '../telemetry/content-capture';
import { traced } from '../telemetry/trace';
import { type AnsweredCall, answerCall } from './answer-call';
import { mergeResponses } from './merge-responses';
import { authRequestEvent, confirmationRequestEvent } from './request-events';
import { type CallProgress, progressContent, RoundProgress } from './round-progress';
import { structuredOutputEvent } from './structured-output-event';

/** One answer of a model may not set the whole fleet to work. */
const MAX_CALLS_PER_TURN = 32;

export interface ToolRound {
  readonly agent: LlmAgent;
  readonly context: InvocationContext;
  readonly toolsDict: LlmRequest['toolsDict'];
  /** The calls to be run: a model's answer, or what a human just allowed. */
  readonly callEvent: Pick<Event, 'content'> & Partial<Pick<Event, 'id' | 'timestamp'>>;
  /** What a human said, by the id of the call it is about (B33). */
  readonly confirmations?: ReadonlyMap<string, ToolConfirmation>;
}

/**
 * The tool round of one answer: its calls run at the same time and are answered in one event, in the order of the
 * calls (B26). Before it come the questions its tools have for the user, after it the answer a tool gave for the model
 * (B20). No event when every call is long-running and has no result yet (B29).
 */
export async function* runToolRound(round: ToolRound): AsyncGenerator<Event, void> {
  const { context } = round;
  const response = yield* responseEvent(round);
  if (!response) return;
  const calls = getFunctionCalls(round.callEvent);
  const auth = authRequestEvent(context, response, calls);
  // Nothing can be said before the user has given his credential (B20).
  if (auth) context.endInvocation = true;
  if (auth) yield auth;
  const confirmation = confirmationRequestEvent(context, response, calls);
  if (confirmation) yield confirmation;
  yield response;
  const output = structuredOutputEvent(round.agent, context, response);
  if (output) yield output;
}

/** Yields what the calls tell while they run, as pieces of the event that answers them, and returns that. */
async function* responseEvent(round: ToolRound): AsyncGenerator<Event, Event | undefined> {
  const { context } = round;
  const stepKey = context.frame.step('tools');
  const calls = getFunctionCalls(round.callEvent);
  const appliedCalls = calls.map((_call, index) => dispatchIdOf(context.invocationId, stepKey, index));
  const step = { stepKey, appliedCalls, asked: askedTools(round.agent.name, calls) };
  const stored = context.ledger.takeStored(step);
  if (stored) return stored;
  const ended = context.ledger.takeEmpty(stepKey);
  if (ended) {
    await ended;
    return undefined;
  }

  context.course.assertNoneLeftOut(context.frame, stepKey);
  context.frame.noteNew();
  const progress = new RoundProgress();
  const answering = answerCalls(round, { step, calls, dispatchIds: appliedCalls, progress });
  // Only who wants a model's pieces gets others.
  const isStreamed = context.runConfig.streamingMode === 'sse';
  const answers = isStreamed ? yield* pieces(context, step, progress.until(answering)) : await answering;
  const answered = answers.filter((answer) => answer !== undefined);
  if (answered.length === 0) {
    context.ledger.stageEmpty(stepKey, { appliedCalls });
    return undefined;
  }
  const merged = context.ledger.createStepEvent(step, mergeResponses(answered));
  if (answered.length > 1) await traceMerged(merged);
  return merged;
}

async function* pieces<T>(
  { ledger }: InvocationContext,
  step: StepOfEvent,
  told: AsyncGenerator<CallProgress, T>,
): AsyncGenerator<Event, T> {
  for (;;) {
    const next = await told.next();
    if (next.done) return next.value;
    yield ledger.createStepEvent(step, { content: progressContent(next.value), partial: true });
  }
}

/** The event of several responses is a place of its own in ADK's traces (B62). */
async function traceMerged(merged: Event): Promise<void> {
  const { id } = merged;
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': '(merged tools)',
    'gen_ai.tool.description': '(merged tools)',
    'gen_ai.tool.call.id': id,
    'gcp.vertex.agent.event_id': id,
    'gcp.vertex.agent.tool_call_args': 'N/A',
    ...NO_MODEL_CONTENT,
  };
  await traced('execute_tool (merged)', attributes, async (span) =>
    setContent(span, 'gcp.vertex.agent.tool_response', () => merged),
  );
}

interface CallsOfRound {
  readonly step: StepOfEvent;
  readonly calls: readonly FunctionCall[];
  readonly dispatchIds: readonly string[];
  readonly progress: RoundProgress;
}

async function answerCalls(
  round: ToolRound,
  { step, calls, dispatchIds, progress }: CallsOfRound,
): Promise<(AnsweredCall | undefined)[]> {
  const { context } = round;
  const run = calls.slice(0, MAX_CALLS_PER_TURN);
  // One alone has no siblings to fail with; a join costs more than the rest of its way through here.
  const failed = run.length > 1 ? new AbortController() : undefined;
  const signal = failed ? AbortSignal.any([context.signal, failed.signal]) : context.signal;
  const lines = context.replay.fork(run.length);
  const answers = run.map(async (call, index) => {
    const dispatchId = dispatchIds[index] ?? '';
    const callSignal = new CallSignal(signal);
    try {
      return await answerCall(round, { call, index, step, dispatchId, signal, callSignal, progress });
    } finally {
      callSignal.end();
      lines.ended();
    }
  });
  try {
    const given = await Promise.all(answers);
    const refused = calls.slice(MAX_CALLS_PER_TURN).map((call) => tooManyCalls(call, calls.length));
    return [...given, ...refused];
  } catch (thrown) {
    // The run fails with this call, so nobody will read what its siblings give (B26).
    failed?.abort(thrown);
    throw thrown;
  }
}

/** The model reads that its call was not run, and may ask again in its next answer. */
function tooManyCalls({ id = '', name }: FunctionCall, count: number): AnsweredCall {
  const error = `Not run: ${count} calls in one turn, of which the first ${MAX_CALLS_PER_TURN} were run.`;
  return { callId: id, tool: name, response: { error }, actions: createEventActions() };
}
