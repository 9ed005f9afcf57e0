import { type Content, type Event, type Part } from '@skein/contracts';
import { mergeAnswers } from './merge-answers';
import { type Pairing } from './pair-responses';

/**
 * What each event says, with the responses directly after the event that asked for them, as providers demand (B7).
 * Everything else keeps its place, so that "still working on it" comes after call and response. A response without a
 * call is dropped.
 */
export function rearrangeHistory(events: readonly Event[], pairing: Pairing): Content[] {
  return events.flatMap((event) => arranged(event, pairing));
}

/** What is told in the place of one event. */
export function arranged(event: Event, pairing: Pairing): Content[] {
  const said = inPlace(event, pairing);
  const exchange = pairing.exchanges.get(event);
  const answers = exchange ? mergeAnswers(exchange, pairing) : [];
  return [
    ...(said.length > 0 ? [{ ...event.content, role: roleOf(event), parts: said }] : []),
    ...(answers.length > 0 ? [{ role: 'user', parts: answers }] : []),
  ];
}

/** The parts that are told where the event stands. */
function inPlace(event: Event, pairing: Pairing): Part[] {
  const parts = event.content?.parts ?? [];
  const calls = pairing.answered.get(event);
  if (!calls) return parts;
  // Beside responses alone, other parts go where the responses go.
  if (!pairing.exchanges.has(event) && calls.some((call) => call)) return [];
  return parts.filter((part) => !part.functionResponse);
}

function roleOf({ author, content }: Event): string {
  return content?.role ?? (author === 'user' ? 'user' : 'model');
}
