import { AdkError } from '@skein/contracts';
import type { Response } from 'express';
import type { Ending } from './ending';
import { LeaveController, type LeaveSignal } from './leave-signal';

/**
 * Aborts once the client is gone, or for the reason of `ending` when that comes first. Ask before the first wait: what is
 * told while nobody listens is told to nobody.
 */
export function clientLeft(response: Response, ending?: Ending): LeaveSignal {
  const left = new LeaveController();
  const stopWaiting = ending?.onBegin((reason) => left.abort(reason));
  const leave = () => {
    stopWaiting?.();
    // Answered, it is gone too, and nothing waits for it any more: most requests end so.
    if (!response.writableFinished)
      left.abort(new AdkError('cancelled', 'client.left', 'The client disconnected'));
  };
  // A client may be gone before its request was read to the end; `close` does not come a second time.
  if (response.destroyed) leave();
  else response.once('close', leave);
  return left;
}
