import { traceStepOf } from '@skein/contracts';
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
