import { AdkError, type Content, type Event } from '@skein/contracts';
import { getFunctionCalls, getFunctionResponses } from '../event/function-parts';
import { applyRewinds } from '../flow/contents/apply-rewinds';

/**
 * The event whose calls a message answers, by id and name; nothing when it answers none. Models use one id again, so the
 * latest event counts. Throws `message.unmatched-response` or `message.ambiguous-responses` (B47).
 */
export function answeredCallEvent(message: Content | undefined, events: readonly Event[]): Event | undefined {
  const responses = getFunctionResponses({ content: message });
  if (responses.length === 0) return undefined;
  // A call that was taken back is nobody's any more (B1).
  const kept = applyRewinds(events);
  const asked = responses.map(({ id, name }) =>
    kept.findLast((event) => getFunctionCalls(event).some((call) => call.id === id && call.name === name)),
  );
  const [unknown] = responses.flatMap(({ id }, index) => (asked[index] === undefined ? id : [])).sort();
  if (unknown !== undefined) {
    throw new AdkError(
      'invalid',
      'message.unmatched-response',
      `Function call not found for function response ids: ${unknown}. Each must have the id and the name of a call in the session.`,
    );
  }
  // The latest first, and one unknown id above: in the words of the store, which refuses the same.
  const callers = [
    ...new Set(kept.toReversed().flatMap((event) => (asked.includes(event) ? event.invocationId : []))),
  ];
  if (callers.length > 1) {
    throw new AdkError(
      'invalid',
      'message.ambiguous-responses',
      `Function responses of one message must answer calls of one invocation, not of: ${callers.join(', ')}.`,
    );
  }
  return asked.at(-1);
}
