import { type Event } from '@skein/contracts';
import { type InvocationContext } from '../agent/invocation-context';
import { compactionStep } from './compaction-step';

/** After a run that succeeded: summarises invocations when enough of them are new (B52). */
export function compactAfterRun(root: InvocationContext): AsyncGenerator<Event, void> {
  return compactionStep('sliding-window', root);
}
