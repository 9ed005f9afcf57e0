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
  const response = withFinishError(params.response, context);
  const content = withCallIds(response.content, context.invocationId, params.stepKey);
  const calls = getFunctionCalls({ content });
  const longRunning = calls
    .filter(({ name }) => request.toolsDict[name]?.isLongRunning)
    .flatMap(({ id }) => id ?? []);
  return context.createStepEvent(
    { stepKey: params.stepKey },
    {
      ...response,
      // Who answers is a model, also when its adapter does not say so: contents without a role are refused.
      ...(content ? { content: { role: 'model', ...content } } : {}),
      ...(calls.length > 0 && !response.partial ? { longRunningToolIds: longRunning } : {}),
      actions: params.actions,
    },
  );
}

/** Whether a response makes no event at all (B18). */
export function saysNothing(response: LlmResponse, context: InvocationContext): boolean {
  const hasParts = (response.content?.parts?.length ?? 0) > 0;
  if (hasParts || response.errorCode || response.interrupted || response.groundingMetadata) return false;
  return !isEmptyStop(response, context);
}

/** A whole answer that stopped without saying anything is an error the user has to see, unless it was streamed (B18). */
function withFinishError(response: LlmResponse, context: InvocationContext): LlmResponse {
  if (!isEmptyStop(response, context)) return response;
  return {
    ...response,
    errorCode: 'MODEL_RETURNED_NO_CONTENT',
    errorMessage: 'The model returned no content.',
  };
}

function isEmptyStop({ finishReason, errorCode, content }: LlmResponse, context: InvocationContext): boolean {
  const isStreamed = context.invocation.runConfig.streamingMode === 'sse';
  return !isStreamed && finishReason === 'STOP' && !errorCode && (content?.parts?.length ?? 0) === 0;
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
            functionCall: {
              ...part.functionCall,
              id: `adk-${eventIdOf(invocationId, `${stepKey}/${index}`)}`,
            },
          }
        : part,
    ),
  };
}
