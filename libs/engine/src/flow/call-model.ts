import { type Attributes, type Span } from '@opentelemetry/api';
import { AdkError, type Event } from '@skein/contracts';
import { firstAnswer, firstOfBoth } from '../agent/callbacks';
import { Context } from '../agent/context';
import { type InvocationContext } from '../agent/invocation-context';
import { type LlmAgent } from '../agent/llm-agent';
import { asError } from '../error/describe-error';
import { createEventActions } from '../event/create-event';
import { Frame } from '../journal/frame';
import { type LlmRequest } from '../model/llm-request';
import { type LlmResponse } from '../model/llm-response';
import { WatchedStream } from '../stream/watched-stream';
import { setContent } from '../telemetry/content-capture';
import {
  modelAnswerAttributes,
  modelCallAttributes,
  modelEventAttribute,
  shownRequest,
} from '../telemetry/model-attributes';
import { startModelOperation } from '../telemetry/operations';
import { traceGenerator } from '../telemetry/trace';
import { isInModelsPlace, SKIPPED_MODEL } from './answers-of';
import { createModelEvent, saysNothing } from './model-event';
import { processResponse, storedResponseEvents } from './process-response';
import { readAnswer } from './read-answer';

/**
 * One model call as events: streamed pieces, then the answer; all share the id of their step (B17). A step that is
 * stored already is yielded as it was, and the model is not asked again, unless a crash came before its last answer.
 */
export async function* callModel(
  agent: LlmAgent,
  context: InvocationContext,
  request: LlmRequest,
): AsyncGenerator<Event, void> {
  const stepKey = context.frame.step('model');
  const stored = storedAnswers(context, stepKey);
  for (const [index, answer] of stored.entries()) {
    yield* storedResponseEvents(context, answerKey(stepKey, index));
    yield answer;
  }
  const ending = context.ledger.takeEmpty(answerKey(stepKey, stored.length));
  const end = ending && (await ending);
  if (end || (stored.length > 0 && !hasMore(context, answerKey(stepKey, stored.length - 1)))) {
    // Asked before the crash: it counts all the same (B22).
    if (!end?.skippedModel && !stored.some(isInModelsPlace)) context.llmCalls.count();
    yield* storedResponseEvents(context, answerKey(stepKey, stored.length));
    return;
  }
  const beginning = context.beginNew();
  if (beginning) await beginning;
  // A run that was stopped is somebody else's: it asks nothing more.
  context.signal.throwIfAborted();
  context.course.assertNoneLeftOut(context.frame, stepKey);
  yield* askAnew(agent, context, { request, stepKey, known: stored.length });
}

interface NewCall {
  readonly request: LlmRequest;
  readonly stepKey: string;
  /** Whole answers that were stored before a crash: they are taken from there, not from the repeated call. */
  readonly known: number;
}

/**
 * Asks the model. A whole answer is held back until the call has ended or goes on: what is stored of it has to tell
 * which, so that after a crash nobody takes the first answer of several for the only one.
 */
async function* askAnew(
  agent: LlmAgent,
  context: InvocationContext,
  { request, stepKey, known }: NewCall,
): AsyncGenerator<Event, void> {
  let answers = 0;
  let made = 0;
  let skippedModel = false;
  let held: Event | undefined;
  const actions = createEventActions();
  const attributes = modelCallAttributes(context, request);
  const callbackContext = new Context(context, { actions, frame: Frame.ofStep(stepKey) });
  const call = { agent, context, request, stepKey, attributes, callbackContext };
  for await (const response of askModel(call)) {
    if (response === NO_MORE) {
      if (held) yield held;
      else context.ledger.stageEmpty(answerKey(stepKey, answers), { skippedModel });
      continue;
    }
    skippedModel ||= isInModelsPlace(response);
    const isWhole = !response.partial && !saysNothing(response, context);
    const key = answerKey(stepKey, answers);
    if (answers < known) {
      if (isWhole) answers += 1;
      continue;
    }
    const added = processResponse(agent, context, { stepKey: key, response, made });
    const count: number = added ? yield* behind(held, added, context) : 0;
    if (count > 0) held = undefined;
    made += count;
    if (saysNothing(response, context)) continue;
    if (held) yield notLast(context, held);
    held = undefined;
    const event = createModelEvent(context, request, { stepKey: key, response, actions });
    if (event.partial) {
      yield event;
      continue;
    }
    held = event;
    answers += 1;
    made = 0;
  }
}

/** Events that come behind a held answer, which is not the last of its call then; answers how many there were. */
async function* behind(
  held: Event | undefined,
  events: AsyncGenerator<Event, void>,
  context: InvocationContext,
): AsyncGenerator<Event, number> {
  let count = 0;
  for await (const event of events) {
    if (held && count === 0) yield notLast(context, held);
    count += 1;
    yield event;
  }
  return count;
}

/** An answer that is not the last of its call; the note is staged before it, so whoever finds the answer finds both. */
function notLast(context: InvocationContext, answer: Event): Event {
  const stepKey = context.ledger.stepOf(answer)?.stepKey ?? '';
  context.invocation.journal.stageRecord({ stepKey, kind: 'more', payload: null });
  return answer;
}

function hasMore(context: InvocationContext, stepKey: string): boolean {
  return context.invocation.journal.storedRecord('more', stepKey) !== undefined;
}

/** A second whole answer of one call is a step of its own; the first one has the plain key. */
function answerKey(stepKey: string, index: number): string {
  return index === 0 ? stepKey : `${stepKey}:${index}`;
}

function storedAnswers(context: InvocationContext, stepKey: string): Event[] {
  const stored: Event[] = [];
  for (;;) {
    const event = context.ledger.takeStored({ stepKey: answerKey(stepKey, stored.length) });
    if (!event) return stored;
    stored.push(event);
  }
}

interface ModelCall {
  readonly agent: LlmAgent;
  readonly context: InvocationContext;
  readonly request: LlmRequest;
  readonly callbackContext: Context;
  readonly stepKey: string;
  /** What is told of the call. */
  readonly attributes: Attributes;
}

const NO_MORE = Symbol('the call has no more answers');

/** The answers of a call; then that there are no more, while the call still counts as one under way. */
function askModel(call: ModelCall): AsyncGenerator<LlmResponse | typeof NO_MORE, void> {
  const { signal } = call.context.invocation;
  return traceGenerator('call_llm', call.attributes, (span) => callbacksAndModel(call, span), { signal });
}

async function* callbacksAndModel(
  call: ModelCall,
  span: Span,
): AsyncGenerator<LlmResponse | typeof NO_MORE, void> {
  const { agent, context, request, callbackContext } = call;
  const { beforeModelCallback, afterModelCallback } = agent.callbacks;
  if (span.isRecording()) span.setAttributes(modelEventAttribute(context, call.stepKey));
  const skipping = firstOfBoth(
    context.plugins.first('beforeModelCallback', { callbackContext, llmRequest: request }),
    () => firstAnswer(beforeModelCallback, { context: callbackContext, request }),
  );
  const skipped = skipping && (await skipping);
  if (skipped) {
    // It skips the model and after_model too (B21).
    const answer = readAnswer(skipped);
    yield { ...answer, customMetadata: { ...answer.customMetadata, [SKIPPED_MODEL]: true } };
    yield NO_MORE;
    return;
  }
  context.llmCalls.count();
  setContent(span, 'gcp.vertex.agent.llm_request', () => shownRequest(request));
  for await (const response of generateOrRecover(call)) {
    if (!response.partial) {
      span.setAttributes(modelAnswerAttributes(response));
      setContent(span, 'gcp.vertex.agent.llm_response', () => response);
    }
    const replacing = firstOfBoth(
      context.plugins.first('afterModelCallback', { callbackContext, llmResponse: response }),
      () => firstAnswer(afterModelCallback, { context: callbackContext, response }),
    );
    const replaced = replacing && (await replacing);
    yield replaced ? readAnswer(replaced) : response;
  }
  // Its answer is paid: a process that is to stop waits until that is in the journal.
  yield NO_MORE;
}

/** The model's answers; an error goes to on_model_error, whose answer replaces it, else it fails the run (B23). */
function generateOrRecover(call: ModelCall): AsyncGenerator<LlmResponse, void> {
  const { context, request } = call;
  const start = (): AsyncGenerator<LlmResponse, void> =>
    traceGenerator(
      `generate_content ${request.model}`,
      () => ({
        'gen_ai.operation.name': 'generate_content',
        ...call.attributes,
        ...modelEventAttribute(context, call.stepKey),
      }),
      () => generate(call),
      { signal: context.invocation.signal },
    );
  return new WatchedStream({
    start,
    failed: async (thrown) => ({ done: false, value: await recovered(call, thrown) }),
  });
}

async function recovered(
  { agent, context, request, callbackContext }: ModelCall,
  thrown: unknown,
): Promise<LlmResponse> {
  context.signal.throwIfAborted();
  const error = asError(thrown);
  const { onModelErrorCallback } = agent.callbacks;
  const answer = await firstOfBoth(
    context.plugins.first('onModelErrorCallback', { callbackContext, llmRequest: request, error }),
    () => firstAnswer(onModelErrorCallback, { context: callbackContext, request, error }),
  );
  if (!answer) throw error;
  return readAnswer(answer);
}

async function* generate({
  agent,
  context,
  request,
  attributes,
}: ModelCall): AsyncGenerator<LlmResponse, void> {
  const streams = context.runConfig.streamingMode === 'sse';
  const operation = startModelOperation(attributes);
  let isWhole = true;
  try {
    for await (const answer of agent.canonicalModel.generateContentAsync(request, streams, context.signal)) {
      const response = readAnswer(answer);
      isWhole = !response.partial;
      if (isWhole) operation.answered(response);
      yield response;
    }
    // Pieces are never stored (B19): without the answer they belong to, what the user saw would be gone.
    if (!isWhole) {
      throw new AdkError(
        'unavailable',
        'model.truncated',
        "The model's answer broke off before it was whole.",
      );
    }
  } catch (error) {
    operation.fail(error);
    throw error;
  } finally {
    operation.stop();
  }
}
