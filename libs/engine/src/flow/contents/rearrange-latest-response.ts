import { AdkError, type Event } from '@skein/contracts';
import { getFunctionCalls, getFunctionResponses, hasFunctionResponses } from '../../event/function-parts';
import { isClosing } from '../answers-of';
import { type Exchange, type Pairing } from './pair-responses';

/**
 * The history up to the calls that its last event answers: a late response is read as if it had come at once, and what
 * was said while waiting is dropped (B6), unless it says that nobody waits any more. The responses themselves are put in their place with all others (B7). Throws
 * `contents.mixed-responses` or `contents.call-not-found`.
 */
export function rearrangeLatestResponse(events: readonly Event[], pairing: Pairing): readonly Event[] {
  const last = events.at(-1);
  if (!last || !hasFunctionResponses(last) || isClosing(last)) return events;
  const exchanges = exchangesOf(last, pairing);
  const previous = events.at(-2);
  if (previous && exchanges.some((exchange) => exchange?.asked === previous)) return events;
  const exchange = onlyOne(exchanges, last);
  return events.slice(0, events.lastIndexOf(exchange.asked) + 1);
}

/** What the responses of an event answer; nothing for a response without a call. */
function exchangesOf(event: Event, pairing: Pairing): (Exchange | undefined)[] {
  const calls = pairing.answered.get(event) ?? [];
  const parts = event.content?.parts ?? [];
  return parts.flatMap((part, index) => (part.functionResponse ? [calls[index]?.exchange] : []));
}

function onlyOne(exchanges: readonly (Exchange | undefined)[], last: Event): Exchange {
  const found = exchanges.findLast((exchange) => exchange);
  const responseIds = idsOf(getFunctionResponses(last));
  if (!found) {
    throw new AdkError(
      'invalid',
      'contents.call-not-found',
      `No function call event found for function responses ids: ${responseIds}.`,
    );
  }
  if (exchanges.some((exchange) => exchange !== found)) {
    throw new AdkError(
      'invalid',
      'contents.mixed-responses',
      `Last response event should only contain the responses for the function calls in the same function call event. ` +
        `Function call ids found: ${idsOf(getFunctionCalls(found.asked))}, function response ids provided: ${responseIds}.`,
    );
  }
  return found;
}

function idsOf(functions: readonly { id?: string | undefined; name: string }[]): string {
  return `{${functions.map(({ id, name }) => id ?? name).join(', ')}}`;
}
