import { AdkError } from '@skein/contracts';
import type { Response } from 'express';
import { errorFrame, failureOf, framesOf, type FrameOptions } from './event-frames';
import type { LeaveSignal } from './leave-signal';
import type { OpenStreams } from './open-streams';
import type { Shown } from './stream-order';
import type { RunOutcome } from './stream-reader';

/** Whom to show a stream to; `signal` aborts once the client is gone. */
export interface Viewer {
  readonly response: Response;
  readonly signal: LeaveSignal;
}

/** Writes what is shown as server-sent events, and at the end why a run failed. */
export async function showStream(
  streams: OpenStreams,
  { response, signal }: Viewer,
  shown: AsyncGenerator<readonly Shown[], RunOutcome>,
  options: FrameOptions,
): Promise<void> {
  await streams.during(response, signal, async (stream) => {
    try {
      const outcome = await each(shown, async (lot) => {
        for (const next of lot) for (const frame of framesOf(next, options)) await stream.write(frame);
      });
      const failure = failureOf(outcome);
      if (failure !== undefined) await stream.write(errorFrame(failure, Date.now()));
    } catch (error) {
      // The status went out long ago, so the failure is told in the stream; a client that left needs no telling.
      if (!signal.aborted) await stream.write(errorFrame(AdkError.from(error), Date.now()));
    }
  });
}

/** `for await`, which would lose what the generator returns at its end. */
export async function each<T>(
  source: AsyncGenerator<T, RunOutcome>,
  take: (next: T) => void | Promise<void>,
): Promise<RunOutcome> {
  try {
    for (;;) {
      const next = await source.next();
      if (next.done === true) return next.value;
      await take(next.value);
    }
  } finally {
    await source.return({ status: 'cancelled' });
  }
}
