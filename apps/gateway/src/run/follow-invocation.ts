import type { Submit, Submitted } from '@skein/contracts';
import type { LeaveSignal } from './leave-signal';
import { keyOf, listenFirst, type OpenedStream, type StreamPorts } from './listen-first';
import { unknownPosition } from './stream-position';

/**
 * Submits an input and follows the segment it begins until that is over; with `lastSeen`, the id of the last event its
 * client saw, only from there on. The input has to be a repeat then.
 */
export function followInvocation(
  ports: StreamPorts,
  input: Submit,
  signal: LeaveSignal,
  lastSeen?: number,
): Promise<OpenedStream<Submitted>> {
  const key = keyOf(input);
  return listenFirst(ports, key, signal, async () => {
    const submitted = await ports.api.submit(input);
    const { invocationId, segment, sessionUid, afterSeq } = submitted;
    if (lastSeen !== undefined && lastSeen > afterSeq) {
      const { lastSeq } = await ports.api.invocation({ ...key, invocationId, segment });
      if (lastSeen > lastSeq) throw unknownPosition(lastSeen, lastSeq);
    }
    const followed = {
      key,
      sessionUid,
      invocationId,
      segment,
      afterSeq: Math.max(afterSeq, lastSeen ?? 0),
      isResumed: lastSeen !== undefined,
    };
    // A repeat may find all of it stored, and waiting for silence would tell so a second later.
    return { found: submitted, followed, mustReadHead: input.isRepeat === true };
  });
}
