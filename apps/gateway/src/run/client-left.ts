import { AdkError } from '@skein/contracts';
import type { Response } from 'express';

/** Aborts once the client is gone. Ask before the first wait: what is told while nobody listens is told to nobody. */
export function clientLeft(response: Response): AbortSignal {
  const left = new AbortController();
  const leave = () => left.abort(new AdkError('cancelled', 'client.left', 'The client disconnected'));
  // A client may be gone before its request was read to the end; `close` does not come a second time.
  if (response.destroyed) leave();
  else response.once('close', leave);
  return left.signal;
}
