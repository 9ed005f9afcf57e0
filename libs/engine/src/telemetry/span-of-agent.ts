import { type Event, traceStepOf } from '@skein/contracts';
import { type InvocationContext } from '../agent/invocation-context';
import { type SpanPlace } from './open-span';

/** Where the span of an activation stands; one that goes on after a crash goes on with the span it had before. */
export function spanOfAgent(context: InvocationContext): SpanPlace {
  const { frame, invocation, invocationId, storedSteps } = context;
  const firstStored = storedSteps.find((stepKey) => frame.isWithin(stepKey));
  const event = firstStored === undefined ? undefined : invocation.journal.storedEvent(firstStored);
  return {
    step: traceStepOf(invocationId, frame.path),
    signal: invocation.signal,
    startTime: event && event.timestamp * 1000,
    isRepeat: () => firstStored !== undefined && !frame.didNew,
  };
}

/** Where the span of a call stands; of one that an earlier owner of the run began, it begins when that did. */
export function spanOfCall(
  context: InvocationContext,
  dispatchId: string,
  { id = '', timestamp }: Partial<Pick<Event, 'id' | 'timestamp'>>,
): SpanPlace {
  const { invocation, invocationId, storedSteps } = context;
  const askedIn = context.ledger.stepOf({ id })?.stepKey;
  const wasAsked = askedIn !== undefined && storedSteps.includes(askedIn);
  return {
    step: traceStepOf(invocationId, dispatchId),
    signal: invocation.signal,
    startTime: wasAsked && timestamp !== undefined ? timestamp * 1000 : undefined,
  };
}
