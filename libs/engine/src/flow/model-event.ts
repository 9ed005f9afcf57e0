import { type Content, type Event, type EventActions } from '@skein/contracts';
import { type InvocationContext } from '../agent/invocation-context';
import { getFunctionCalls } from '../event/function-parts';
import { eventIdOf } from '../journal/event-id';
import { type LlmRequest } from '../model/llm-request';
import { type LlmResponse } from '../model/llm-response';

interface ModelEventParams {
  readonly stepKey: string;
  readonly response: LlmResponse;
  /** Shared with the model callbacks, so that what they set lands on this event (B21). */
  readonly actions: EventActions;
}

/** A model's answer as an event: missing call ids given (B9), long-running calls named. */
export function createModelEvent(
  context: InvocationContext,
  request: LlmRequest,
  params: ModelEventParams,
): Event {
  // What went wrong is told of the whole answer, not of each piece of it.
  const response = params.response.partial ? params.response : withFinishError(params.response, context);
  const content = withCallIds(response.content, context.invocationId, params.stepKey);
  const calls = getFunctionCalls({ content });
  const longRunning = calls
    .filter(({ name }) => Object.hasOwn(request.toolsDict, name) && request.toolsDict[name]?.isLongRunning)
    .flatMap(({ id }) => id ?? []);
  // Assigned, here and below: fields behind a spread make a hidden class for every answer.
  const { content: _replaced, ...others } = response;
  return context.ledger.createStepEvent(
    { stepKey: params.stepKey },
    Object.assign(others, {
      // Who answers is a model, also when its adapter does not say so: contents without a role are refused.
      ...(content ? { content: { role: 'model', ...content } } : {}),
      ...(calls.length > 0 && !response.partial ? { longRunningToolIds: longRunning } : {}),
      actions: params.actions,
    }),
  );
}

/** Whether a response makes no event at all (B18). */
export function saysNothing(response: LlmResponse, context: InvocationContext): boolean {
  const hasParts = (response.content?.parts?.length ?? 0) > 0;
  if (hasParts || response.errorCode || response.interrupted || response.groundingMetadata) return false;
  return !response.finishReason || (response.finishReason === 'STOP' && isStreamed(context));
}

/**
 * Tells what went wrong with an answer that ended early or says nothing: the user would wait for ever for the rest
 * (B18). Calls of a failed answer may be cut in the middle, and are dropped: nobody could answer them.
 */
function withFinishError(response: LlmResponse, context: InvocationContext): LlmResponse {
  const failure = finishError(response, context);
  const told = failure ? Object.assign({}, response, failure) : response;
  return told.errorCode && !told.partial ? { ...told, content: withoutCalls(told.content) } : told;
}

function finishError(
  { finishReason, errorCode, content, partial }: LlmResponse,
  context: InvocationContext,
): Pick<LlmResponse, 'errorCode' | 'errorMessage'> | undefined {
  if (errorCode || partial) return undefined;
  if (finishReason === 'MAX_TOKENS') {
    return { errorCode: 'MAX_TOKENS', errorMessage: 'The answer was cut: it reached the limit of tokens.' };
  }
  if ((content?.parts?.length ?? 0) > 0 || !finishReason) return undefined;
  if (finishReason !== 'STOP') {
    return { errorCode: finishReason, errorMessage: `The model stopped without an answer: ${finishReason}.` };
  }
  return isStreamed(context)
    ? undefined
    : { errorCode: 'MODEL_RETURNED_NO_CONTENT', errorMessage: 'The model returned no content.' };
}

function isStreamed({ runConfig }: InvocationContext): boolean {
  return runConfig.streamingMode === 'sse';
}

function withoutCalls(content: Content | undefined): Content | undefined {
  const parts = content?.parts?.filter(({ functionCall }) => !functionCall) ?? [];
  return parts.length > 0 ? { ...content, parts } : undefined;
}

/** Ids derive from the step, so a repeated call event holds the same ones. */
function withCallIds(
  content: Content | undefined,
  invocationId: string,
  stepKey: string,
): Content | undefined {
  if (!content?.parts?.some((part) => part.functionCall && !part.functionCall.id)) return content;
  return {
    ...content,
    parts: content.parts.map((part, index) =>
      part.functionCall && !part.functionCall.id
        ? {
            ...part,
            functionCall: Object.assign({}, part.functionCall, {
              id: clientCallId(invocationId, `${stepKey}/${index}`),
            }),
          }
        : part,
    ),
  };
}

/** An id of our own for a call that came without, or that no model made. */
export function clientCallId(invocationId: string, key: string): string {
  return `adk-${eventIdOf(invocationId, key)}`;
}
