import { type Attributes } from '@opentelemetry/api';
import { type InvocationContext } from '../agent/invocation-context';
import { eventIdOf } from '../journal/event-id';
import { type LlmRequest } from '../model/llm-request';
import { readContents } from '../model/shared-contents';
import { type LlmResponse } from '../model/llm-response';

/** What is told of a model call, to spans and to others. */
export function modelCallAttributes(context: InvocationContext, request: LlmRequest): Attributes {
  const { maxOutputTokens, topP } = request.config;
  return {
    'gen_ai.system': 'gcp.vertex.agent',
    'gen_ai.request.model': request.model,
    'gcp.vertex.agent.invocation_id': context.invocationId,
    'gcp.vertex.agent.session_id': context.session.id,
    ...(maxOutputTokens === undefined ? {} : { 'gen_ai.request.max_tokens': maxOutputTokens }),
    ...(topP === undefined ? {} : { 'gen_ai.request.top_p': topP }),
  };
}

/** Of spans alone, because it takes a hash: ADK's UI finds them by the id of the event they led to (B62). */
export function modelEventAttribute({ invocationId }: InvocationContext, stepKey: string): Attributes {
  return { 'gcp.vertex.agent.event_id': eventIdOf(invocationId, stepKey) };
}

/** A request as a span may hold it: without what only code can use. */
export function shownRequest(request: LlmRequest): object {
  const { responseSchema: _schema, ...shown } = request.config;
  return { model: request.model, config: shown, contents: readContents(request) };
}

/** What is known of a model call once it was answered. */
export function modelAnswerAttributes({ usageMetadata, finishReason }: LlmResponse): Attributes {
  const { promptTokenCount, candidatesTokenCount } = usageMetadata ?? {};
  return {
    ...(promptTokenCount === undefined ? {} : { 'gen_ai.usage.input_tokens': promptTokenCount }),
    ...(candidatesTokenCount === undefined ? {} : { 'gen_ai.usage.output_tokens': candidatesTokenCount }),
    ...(finishReason ? { 'gen_ai.response.finish_reasons': [finishReason.toLowerCase()] } : {}),
  };
}
