import { randomUUID } from 'node:crypto';
import { type Event } from '@skein/contracts';
import { createEvent, type CreateEventParams, type LlmRequest } from '@skein/engine';

/** An event with an id of its own; what a test is about is given. */
export function anEvent(params: Partial<CreateEventParams> = {}): Event {
  return createEvent({ id: randomUUID(), invocationId: 'e-1', author: 'root', timestamp: 1, ...params });
}

export function aRequest(params: Partial<LlmRequest> = {}): LlmRequest {
  return { model: 'a-model', contents: [], config: {}, toolsDict: {}, ordinal: 0, ...params };
}

/** A request in which the user said this last. */
export function saying(text: string): LlmRequest {
  return aRequest({ contents: [{ role: 'user', parts: [{ text }] }] });
}
