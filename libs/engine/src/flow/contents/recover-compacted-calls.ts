import { type Event, type Part } from '@skein/contracts';
import { type AskedCall, type Exchange, type Pairing, pairResponses } from './pair-responses';

/**
 * Brings back a call that a summary covers when its response came after: a response alone means nothing to a model. The
 * whole event comes back, with the latest responses to its other calls, so that none looks as if it were still open
 * (B8).
 */
export function recoverCompactedCalls(
  told: readonly Event[],
  events: readonly Event[],
  covered: ReadonlySet<Event>,
): readonly Event[] {
  const pairing = pairResponses(events);
  const recovered = new Set<Exchange>();
  return told.flatMap((event) => {
    const restored: Event[] = [];
    for (const call of pairing.answered.get(event) ?? []) {
      if (!call || !covered.has(call.exchange.asked) || recovered.has(call.exchange)) continue;
      recovered.add(call.exchange);
      restored.push(call.exchange.asked, ...coveredAnswers(call.exchange, pairing, covered));
    }
    return restored.length > 0 ? [...restored, event] : event;
  });
}

/** The latest responses to those calls of an event that have none outside of the summary. */
function coveredAnswers(exchange: Exchange, pairing: Pairing, covered: ReadonlySet<Event>): Event[] {
  const latest = new Map<AskedCall, Part>();
  const answeredLater = new Set<AskedCall>();
  for (const event of exchange.answeredBy) {
    event.content?.parts?.forEach((part, index) => {
      const call = pairing.answered.get(event)?.[index];
      if (call?.exchange !== exchange) return;
      if (covered.has(event)) latest.set(call, part);
      else answeredLater.add(call);
    });
  }
  const parts = [...latest].flatMap(([call, part]) => (answeredLater.has(call) ? [] : [part]));
  const last = exchange.answeredBy.findLast((event) => covered.has(event));
  return last && parts.length > 0 ? [{ ...last, content: { role: 'user', parts } }] : [];
}
