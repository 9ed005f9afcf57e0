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

/** Model answers of one agent name among stored events; failed and skipped calls do not count. */
export function answersOf(agentName: string, events: readonly Event[]): number {
  let answers = 0;
  for (const event of events) {
    if (event.author === agentName && isAnswer(event)) answers += 1;
    answers += getOwn(childAnswers(event), agentName) ?? 0;
  }
  return answers;
}

/** All counts of answers among these events, for a run whose events are kept nowhere. */
export function countAnswers(events: readonly Event[]): Record<string, number> {
  const counts: Record<string, number> = {};
  const add = (name: string, count: number): void =>
    setOwn(counts, name, (getOwn(counts, name) ?? 0) + count);
  for (const event of events) {
    if (isAnswer(event)) add(event.author, 1);
    for (const [name, count] of Object.entries(childAnswers(event))) add(name, count);
  }
  return counts;
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
