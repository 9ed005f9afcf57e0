import { type Event } from '@skein/contracts';
import { type InvocationContext } from '../agent/invocation-context';
import { compactionStep } from './compaction-step';

/** After a run that succeeded: summarises invocations when enough of them are new (B52); nothing where an app has none of it. */
export function compactAfterRun(root: InvocationContext): AsyncGenerator<Event, void> | undefined {
  return root.invocation.app.eventsCompactionConfig && compactionStep('sliding-window', root);
}
