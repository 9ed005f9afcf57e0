import { type Event } from '@skein/contracts';
import { getFunctionCalls, getFunctionResponses } from '../src/event/function-parts';
import { type LlmRequest } from '../src/model/llm-request';

/** The ids of the questions these events ask the user. */
export function requestIdsOf(events: readonly Event[]): string[] {
  return events
    .flatMap(getFunctionCalls)
    .flatMap(({ id, name }) => (name.startsWith('adk_request_') ? (id ?? []) : []));
}

/** The answers to a call that a model was shown. */
export function shownAnswers(request: LlmRequest | undefined, callId: string): unknown[] {
  return (request?.contents ?? [])
    .flatMap((content) => getFunctionResponses({ content }))
    .filter(({ id }) => id === callId)
    .map(({ response }) => response);
}
