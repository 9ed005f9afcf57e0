import { type Event } from '@skein/contracts';

/** Whether another agent wrote an event; the user is nobody's other (B4). */
export function isForeign({ author }: Pick<Event, 'author'>, agentName: string): boolean {
  return author !== agentName && author !== 'user';
}
