import { type Event, type FunctionCall, getFunctionCalls, getFunctionResponses } from '@skein/adk';
import { type AgentRun } from '../run/agent-run';

/** What the matchers look at: a run, its events, or one event. */
export type RunOrEvents = AgentRun | readonly Event[] | Event;

/** Throws a TypeError that names what was expected when it is none of these. */
export function eventsOf(received: unknown): readonly Event[] {
  const events = isRecord(received) && Array.isArray(received.events) ? received.events : received;
  const list: unknown[] = Array.isArray(events) ? events : [events];
  if (list.every(isEvent)) return list;
  throw new TypeError('expect() was given neither what runAgent() settles with, nor events, nor an event.');
}

/** One line for each event, as a failed expectation shows it. */
export function showEvents(events: readonly Event[]): string {
  if (events.length === 0) return '  (no event)';
  return events.map((event) => `  ${event.author}: ${showEvent(event)}`).join('\n');
}

export function showCall({ name, args = {} }: FunctionCall): string {
  return `${name}(${JSON.stringify(args)})`;
}

function showEvent(event: Event): string {
  const { errorCode, errorMessage, actions } = event;
  const text = (event.content?.parts ?? []).map((part) => part.text ?? '').join('');
  const shown = [
    ...(text ? [JSON.stringify(text)] : []),
    ...getFunctionCalls(event).map(showCall),
    ...getFunctionResponses(event).map(({ name, response }) => `${name} → ${JSON.stringify(response)}`),
    ...(errorCode ? [`error ${errorCode}: ${errorMessage ?? ''}`] : []),
    ...(isEmpty(actions.stateDelta) ? [] : [`state ${JSON.stringify(actions.stateDelta)}`]),
    ...(isEmpty(actions.artifactDelta) ? [] : [`artifacts ${JSON.stringify(actions.artifactDelta)}`]),
    ...(actions.transferToAgent ? [`transfer to ${actions.transferToAgent}`] : []),
  ];
  return shown.join(', ') || '(nothing)';
}

function isEmpty(record: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(record).length === 0;
}

function isEvent(value: unknown): value is Event {
  return isRecord(value) && typeof value.author === 'string' && isRecord(value.actions);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
