import { AdkError, type Event } from '@skein/contracts';
import { type BaseAgent } from '../agent/base-agent';
import { type Invocation, InvocationContext } from '../agent/invocation-context';
import { asError } from '../error/describe-error';
import { Frame } from '../journal/frame';
import { applyEvent, applyStateDelta } from '../session/apply-event';
import { separateTemp } from '../state/state-scope';
import { answerDanglingCalls } from './answer-dangling-calls';
import { createUserEvent } from './create-user-event';
import { type SegmentInput } from './segment-input';

/**
 * Runs one segment of an invocation: the user's event, then the agent's. Each event is in the session and staged in the
 * journal when it is yielded, in order, and need not be stored yet: who shows it awaits `journal.stored()` first, so
 * that the next model call may start meanwhile. A failure is stored as an error event, then thrown (B23).
 */
export async function* runInvocation(
  agent: BaseAgent,
  invocation: Invocation,
  input: SegmentInput,
): AsyncGenerator<Event, void> {
  const root = InvocationContext.root(invocation, agent, Frame.ofSegment(input.segment));
  const userEvent = createUserEvent(root, input);
  if (userEvent) commit(root, userEvent);
  try {
    for await (const event of agent.runAsync(root)) {
      if (event.partial) {
        // A chunk is shown at once, so what led to it has to be stored first (B64).
        await invocation.journal.stored();
        yield event;
      } else {
        yield commit(root, event);
      }
    }
  } catch (thrown) {
    invocation.signal.throwIfAborted();
    const dangling = answerDanglingCalls(root, thrown);
    if (dangling) yield commit(root, dangling);
    yield commit(root, errorEvent(root, thrown));
    throw thrown;
  }
}

/** Takes an event into the session and the journal; answers it as it is shown. */
function commit(root: InvocationContext, event: Event): Event {
  const { session, journal } = root.invocation;
  const step = root.stepOf(event) ?? { stepKey: root.frame.step('event') };
  const { stored, temp } = separateTemp(event.actions.stateDelta);
  const shown =
    stored === event.actions.stateDelta
      ? event
      : { ...event, actions: { ...event.actions, stateDelta: stored } };
  applyEvent(session, shown);
  // Only in the live state, and gone with it: the session's log is the stored one (B56).
  applyStateDelta(session, temp);
  journal.stageEvent({ ...step, event: shown, temp });
  return shown;
}

function errorEvent(root: InvocationContext, thrown: unknown): Event {
  const error = asError(thrown);
  return root.createStepEvent(
    { stepKey: root.frame.step('error') },
    // Our own errors have codes; of others the class name is all there is (B23).
    { errorCode: AdkError.isInstance(error) ? error.code : error.name, errorMessage: error.message },
  );
}
