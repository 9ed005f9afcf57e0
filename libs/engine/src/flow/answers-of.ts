import { type Event } from '@skein/contracts';

/** Model answers of one agent name among stored events; failed and skipped calls do not count. */
export function answersOf(agentName: string, events: readonly Event[]): number {
  return events.filter(
    (event) =>
      event.author === agentName &&
      event.content?.role === 'model' &&
      !event.errorCode &&
      !isInModelsPlace(event),
  ).length;
}

/** Marks an event that a callback made in the model's place; no model was asked for it. */
export const SKIPPED_MODEL = 'skein.skippedModel';

export function isInModelsPlace(event: Pick<Event, 'customMetadata'>): boolean {
  return event.customMetadata?.[SKIPPED_MODEL] === true;
}
