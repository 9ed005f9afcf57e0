import { type InvocationContext } from '../agent/invocation-context';
import { BELOW_HOOKS } from '../journal/frame';
import { runWithin } from '../journal/step-scope';
import { type PluginHook } from '../plugin/base-plugin';

/** A hook that plugins are asked by once, and the step or other moment of the run that they are asked about. */
interface Asked {
  readonly hook: PluginHook;
  readonly about: string;
}

/**
 * Asks plugins about a step. What they draw from the run's context has names below it: not asked again, they would leave the
 * numbers of those that follow to others. Without such a plugin nothing is drawn, and nothing followed.
 */
export function askHook<T>({ frame, plugins }: InvocationContext, { hook, about }: Asked, ask: () => T): T {
  return plugins.has(hook) ? runWithin(frame, `${about}/${BELOW_HOOKS}`, ask) : ask();
}
