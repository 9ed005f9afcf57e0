import { AdkError, type InspectedInvocation, type SessionKey } from '@skein/contracts';
import type { LeaveSignal } from '../run/leave-signal';
import { listenFirst, type OpenedStream, type StreamPorts } from '../run/listen-first';
import { unknownPosition } from '../run/stream-position';

/** Where a client goes on: above this `seq`, or from the beginning. */
type Position = number | undefined;

/** Follows an invocation somebody else began: its events above `after`, all its segments, until it comes to rest. */
export function reattach(
  ports: StreamPorts,
  { invocationId, ...key }: SessionKey & { readonly invocationId: string },
  after: Position,
  signal: LeaveSignal,
): Promise<OpenedStream<InspectedInvocation>> {
  return listenFirst(ports, key, signal, async () => {
    const found = await ports.api.inspect({ ...key, invocationId });
    checkPosition(after, found.lastSeq);
    const { sessionUid, segments } = found;
    // Below its first segment there is nothing of it to read.
    const afterSeq = Math.max(after ?? 0, segments[0]?.afterSeq ?? 0);
    const followed = { key, sessionUid, invocationId, afterSeq, isResumed: after !== undefined };
    return { found, followed, mustReadHead: true };
  });
}

/** Follows a whole session: its events above `after`, and what comes, until the client leaves. */
export function followSession(
  ports: StreamPorts,
  key: SessionKey,
  { after = 0, sessionUid }: { readonly after: Position; readonly sessionUid: string | undefined },
  signal: LeaveSignal,
): Promise<OpenedStream<{ readonly sessionUid: string }>> {
  return listenFirst(ports, key, signal, async () => {
    const found = await ports.api.events({ ...key, afterSeq: after, untilSeq: Math.max(after, 1) });
    checkUid(sessionUid, found.sessionUid);
    checkPosition(after, found.lastSeq);
    const followed = { key, sessionUid: found.sessionUid, afterSeq: after, isResumed: after > 0 };
    return { found, followed, mustReadHead: true };
  });
}

export function checkPosition(after: Position, lastSeq: number): void {
  if (after !== undefined && after > lastSeq) throw unknownPosition(after, lastSeq);
}

/** A client that read a session by this id before says which one that was: another one counts from 1 as well. */
export function checkUid(wanted: string | undefined, found: string): void {
  if (wanted === undefined || wanted === found) return;
  throw new AdkError(
    'not_found',
    'session.deleted',
    'The session was deleted; the one that has its id now is another',
  );
}
