import { type InvocationContext } from '../agent/invocation-context';
import { BELOW_HOOKS } from '../journal/frame';
import { runWithin } from '../journal/step-scope';

/**
 * Asks plugins about a step, or another moment of the run, that they are asked about once. What they draw from the run's
 * context has names below it: not asked again, they would leave the numbers of those that follow to others.
 */
export function askHook<T>({ frame }: InvocationContext, about: string, ask: () => T): T {
  return runWithin(frame, `${about}/${BELOW_HOOKS}`, ask);
}
