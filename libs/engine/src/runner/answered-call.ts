import { AdkError, type Content, type Event, type FunctionResponse } from '@skein/contracts';
import { REQUEST_CREDENTIAL } from '../auth/auth-config';
import { getFunctionCalls, getFunctionResponses } from '../event/function-parts';
import { applyRewinds } from '../flow/contents/apply-rewinds';
import { REQUEST_CONFIRMATION } from '../flow/request-events';

/** What a user is asked, and decides once. */
export const QUESTIONS: ReadonlySet<string | undefined> = new Set([REQUEST_CONFIRMATION, REQUEST_CREDENTIAL]);

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

/**
 * Throws `message.already-answered` for a message that decides what somebody decided before: a confirmation or a
 * credential is asked for once. A long-running call may be answered as often as there is news of it.
 */
export function assertUndecided(message: Content | undefined, events: readonly Event[]): void {
  const answers = getFunctionResponses({ content: message }).filter(({ name }) => QUESTIONS.has(name));
  if (answers.length === 0) return;
  const kept = applyRewinds(events);
  const isDecided = ({ id, name }: FunctionResponse): boolean => {
    const asked = kept.findLastIndex((event) =>
      getFunctionCalls(event).some((call) => call.id === id && call.name === name),
    );
    const later = kept.slice(asked + 1).flatMap(getFunctionResponses);
    return later.some((response) => response.id === id && response.name === name);
  };
  const [decided] = answers.flatMap((answer) => (isDecided(answer) ? (answer.id ?? '') : [])).sort();
  if (decided === undefined) return;
  throw new AdkError(
    'conflict',
    'message.already-answered',
    `This question was answered before, and the first answer holds: ${decided}`,
  );
}
