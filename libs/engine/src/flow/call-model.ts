import { type Event } from '@skein/contracts';
import { firstAnswer } from '../agent/callbacks';
import { Context } from '../agent/context';
import { type InvocationContext } from '../agent/invocation-context';
import { type LlmAgent } from '../agent/llm-agent';
import { asError } from '../error/describe-error';
import { createEventActions } from '../event/create-event';
import { type LlmRequest } from '../model/llm-request';
import { type LlmResponse } from '../model/llm-response';
import { traceGenerator } from '../telemetry/trace';
import { isInModelsPlace, SKIPPED_MODEL } from './answers-of';
import { createModelEvent, saysNothing } from './model-event';
import { readAnswer } from './read-answer';

/**
 * One model call as events: streamed pieces, then the answer; all share the id of their step (B17). A step that is
 * stored already is yielded as it was, and the model is not asked again.
 */
export async function* callModel(
  agent: LlmAgent,
  context: InvocationContext,
  request: LlmRequest,
): AsyncGenerator<Event, void> {
  const stepKey = context.frame.step('model');
  const stored = storedAnswers(context, stepKey);
  if (stored.length > 0 || context.invocation.journal.wasEmpty(stepKey)) {
    // Asked before the crash: it counts all the same (B22).
    if (!stored.some(isInModelsPlace)) context.llmCalls.count();
    yield* stored;
    return;
  }

  let answers = 0;
  const actions = createEventActions();
  for await (const response of askModel(agent, context, request, new Context(context, { actions }))) {
    if (saysNothing(response, context)) continue;
    const key = answerKey(stepKey, answers);
    if (!response.partial) answers += 1;
    yield createModelEvent(context, request, { stepKey: key, response, actions });
  }
  if (answers === 0) context.invocation.journal.stageEmpty(stepKey);
}

/** A second whole answer of one call is a step of its own; the first one has the plain key. */
function answerKey(stepKey: string, index: number): string {
  return index === 0 ? stepKey : `${stepKey}:${index}`;
}

function storedAnswers(context: InvocationContext, stepKey: string): Event[] {
  const stored: Event[] = [];
  for (;;) {
    const event = context.storedEvent({ stepKey: answerKey(stepKey, stored.length) });
    if (!event) return stored;
    stored.push(event);
  }
}

function askModel(
  agent: LlmAgent,
  context: InvocationContext,
  request: LlmRequest,
  callbackContext: Context,
): AsyncGenerator<LlmResponse, void> {
  const attributes = {
    'gen_ai.system': 'gcp.vertex.agent',
    'gen_ai.request.model': request.model,
    'gcp.vertex.agent.invocation_id': context.invocationId,
    'gcp.vertex.agent.session_id': context.session.id,
  };
  return traceGenerator('call_llm', attributes, async function* () {
    const { beforeModelCallback, afterModelCallback } = agent.callbacks;
    const skipped = await firstAnswer(beforeModelCallback, { context: callbackContext, request });
    if (skipped) {
      // It skips the model and after_model too (B21).
      const answer = readAnswer(skipped);
      yield { ...answer, customMetadata: { ...answer.customMetadata, [SKIPPED_MODEL]: true } };
      return;
    }
    context.llmCalls.count();
    for await (const response of generateOrRecover(agent, context, request, callbackContext)) {
      const replaced = await firstAnswer(afterModelCallback, { context: callbackContext, response });
      yield replaced ? readAnswer(replaced) : response;
    }
  });
}

/** The model's answers; an error goes to on_model_error, whose answer replaces it, else it fails the run (B23). */
async function* generateOrRecover(
  agent: LlmAgent,
  context: InvocationContext,
  request: LlmRequest,
  callbackContext: Context,
): AsyncGenerator<LlmResponse, void> {
  const streams = context.invocation.runConfig.streamingMode === 'sse';
  try {
    const answers = traceGenerator(
      `generate_content ${request.model}`,
      {
        'gen_ai.operation.name': 'generate_content',
        'gen_ai.request.model': request.model,
        'gcp.vertex.agent.invocation_id': context.invocationId,
      },
      () => agent.canonicalModel.generateContentAsync(request, streams, context.signal),
    );
    for await (const answer of answers) yield readAnswer(answer);
  } catch (thrown) {
    context.signal.throwIfAborted();
    const error = asError(thrown);
    const { onModelErrorCallback } = agent.callbacks;
    const answer = await firstAnswer(onModelErrorCallback, { context: callbackContext, request, error });
    if (!answer) throw error;
    yield readAnswer(answer);
  }
}
