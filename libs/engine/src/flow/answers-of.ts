import { type Event } from '@skein/contracts';
import { getOwn, setOwn } from '../json/set-own';

/** Marks an event that something else made in the model's place; no model was asked for it. */
export const SKIPPED_MODEL = 'skein.skippedModel';

/** On a function-response event: model answers of the agents that ran as tools, by name; they are in no log. */
export const CHILD_ANSWERS = 'skein.childAnswers';

/** Marks the responses a failed run gives to the calls it leaves open: nobody waits for them any more. */
export const CLOSED_CALLS = 'skein.closedCalls';

export function isClosing(event: Pick<Event, 'customMetadata'>): boolean {
  return event.customMetadata?.[CLOSED_CALLS] === true;
}

/** What was counted of a log, up to an event of it. */
interface Counted {
  readonly counts: Record<string, number>;
  readonly length: number;
  readonly last: Event | undefined;
}

/** As long as the log is held: it is asked about at every model call, and only grows between two of them. */
const counted = new WeakMap<readonly Event[], Counted>();

/** Model answers of one agent name among stored events; failed and skipped calls do not count. */
export function answersOf(agentName: string, events: readonly Event[]): number {
  const known = counted.get(events);
  // Something that came in between, or a log that was cut, moves the last one from its place.
  const isBefore = known !== undefined && events[known.length - 1] === known.last;
  const counts = isBefore ? known.counts : {};
  for (const event of events.slice(isBefore ? known.length : 0)) count(event, counts);
  counted.set(events, { counts, length: events.length, last: events.at(-1) });
  return getOwn(counts, agentName) ?? 0;
}

/** All counts of answers among these events, for a run whose events are kept nowhere. */
export function countAnswers(events: readonly Event[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const event of events) count(event, counts);
  return counts;
}

function count(event: Event, counts: Record<string, number>): void {
  const add = (name: string, answers: number): void =>
    setOwn(counts, name, (getOwn(counts, name) ?? 0) + answers);
  if (isAnswer(event)) add(event.author, 1);
  for (const [name, answers] of Object.entries(childAnswers(event))) add(name, answers);
}

export function isInModelsPlace(event: Pick<Event, 'customMetadata'>): boolean {
  return event.customMetadata?.[SKIPPED_MODEL] === true;
}

function isAnswer(event: Event): boolean {
  return event.content?.role === 'model' && !isInModelsPlace(event);
}

function childAnswers({ customMetadata }: Event): Readonly<Record<string, number>> {
  // Written by mergeResponses alone.
  return (customMetadata?.[CHILD_ANSWERS] ?? {}) as Record<string, number>;
}
