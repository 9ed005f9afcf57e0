import { AdkError, CANCELLED, type Event } from '@skein/contracts';
import { type Invocation } from '../agent/invocation';
import { InvocationContext } from '../agent/invocation-context';
import { createEventActions } from '../event/create-event';
import { getFunctionResponses } from '../event/function-parts';
import { eventIdOf } from '../journal/event-id';
import { Frame } from '../journal/frame';
import { answerDanglingCalls } from './answer-dangling-calls';
import { commitEvent } from './commit-event';
import { type SegmentInput } from './segment-input';

const MESSAGE = 'The invocation was cancelled.';

/** Why a run ends that nobody wants any more. */
export function cancelledError(): AdkError {
  return new AdkError('cancelled', CANCELLED, MESSAGE);
}

/**
 * How a cancelled segment is told: what the user said, if the run had not come to store that; responses to the calls
 * left open, long-running ones too, since no answer is taken any more; one event that says so. No callback is asked: a
 * cancel is no failure, and a callback may be what does not come to an end. Whoever runs the segment has left it before.
 */
export async function* endCancelled(
  invocation: Invocation,
  { segment, newMessage }: SegmentInput,
): AsyncGenerator<Event, void> {
  const root = InvocationContext.root(invocation, Frame.ofSegment(segment));
  const userEvent = unsaid(root, newMessage);
  if (userEvent) await commitEvent(root, userEvent, { isOwn: false });
  for (const answers of answerDanglingCalls(root, MESSAGE, 'cancelled'))
    yield await commitEvent(root, answers, { isOwn: false });
  yield await commitEvent(root, endEvent(root), { isOwn: false });
}

/** An answer to a call that is not asked for any more is not told: the call gets the response of the cancel. */
function unsaid(root: InvocationContext, newMessage: SegmentInput['newMessage']): Event | undefined {
  if (!newMessage || getFunctionResponses({ content: newMessage }).length > 0) return undefined;
  const stepKey = root.frame.step('user');
  const id = eventIdOf(root.invocationId, stepKey);
  if (root.session.events.some((event) => event.id === id)) return undefined;
  const content = { ...newMessage, role: 'user' };
  return root.ledger.createStepEvent(
    { stepKey },
    { content, actions: createEventActions() },
    { author: 'user' },
  );
}

/** By the agent that spoke last, so that the next turn finds it again (B49). */
function endEvent(root: InvocationContext): Event {
  const last = root.session.events.findLast(
    ({ invocationId, author }) => invocationId === root.invocationId && author !== 'user',
  );
  return root.ledger.createStepEvent(
    { stepKey: root.frame.step('cancelled') },
    { errorCode: CANCELLED, errorMessage: MESSAGE },
    { author: last?.author ?? root.agentName },
  );
}
