import { randomUUID } from 'node:crypto';
import { type Event, type FunctionCall } from '@skein/contracts';
import { getFunctionCalls, getFunctionResponses, REQUEST_CONFIRMATION } from '@skein/engine';

type WithContent = Pick<Event, 'content'>;

/** The words of an event, without thoughts. */
export function stringifyContent({ content }: WithContent): string {
  return (content?.parts ?? []).map(({ text = '', thought }) => (thought ? '' : text)).join('');
}

export function hasThoughts({ content }: WithContent): boolean {
  return (content?.parts ?? []).some(({ thought }) => thought === true);
}

/** The event without its thoughts; the given one is left as it is. */
export function pruneThoughts(event: Event): Event {
  const { content } = event;
  if (!content?.parts) return event;
  return {
    ...event,
    content: { ...content, parts: content.parts.filter(({ thought }) => thought !== true) },
  };
}

export function hasTrailingCodeExecutionResult({ content }: WithContent): boolean {
  return content?.parts?.at(-1)?.codeExecutionResult !== undefined;
}

/** The questions of an event whether a call may run; a call of that name that a model made up is none. */
export function getAskUserConfirmationFunctionCalls(event: Event): FunctionCall[] {
  return getFunctionCalls(event).filter(
    ({ id, name }) => name === REQUEST_CONFIRMATION && id && event.longRunningToolIds?.includes(id),
  );
}

/** An id for a call whose model gave none (B9): no provider is told ids that begin so. */
export function generateClientFunctionCallId(): string {
  return `adk-${randomUUID()}`;
}

/** Gives each call of an event that has no id one, in place. */
export function populateClientFunctionCallId(event: WithContent): void {
  for (const call of getFunctionCalls(event)) call.id ??= generateClientFunctionCallId();
}

/** The last event before `endIndex` that holds the call of that id. */
export function findEventByFunctionCallId(
  events: readonly Event[],
  functionCallId: string,
  endIndex = events.length,
): Event | undefined {
  return events
    .slice(0, endIndex)
    .findLast((event) => getFunctionCalls(event).some(({ id }) => id === functionCallId));
}

/** The event with the call that the last event answers; of several answers the first counts. */
export function findMatchingFunctionCall(events: readonly Event[]): Event | undefined {
  const last = events.at(-1);
  const id = last && getFunctionResponses(last)[0]?.id;
  return id ? findEventByFunctionCallId(events, id, events.length - 1) : undefined;
}
