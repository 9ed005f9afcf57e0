import { type Handover, type Session, type StoredEvent } from '@skein/contracts';
import { mergeState } from '@skein/engine';
import { type SessionRpc } from '@skein/session-client';
import { type SessionCache } from './session-cache';

export interface OpenedSession {
  /** As the segment found it: events up to `baseSeq`, state of that moment. */
  readonly session: Session;
  /** What earlier owners stored of this segment, in order. */
  readonly stored: readonly StoredEvent[];
}

/** Puts a claimed session together: cached events, those the handover brought, and pages for what lies between. */
export async function openSession(
  handover: Handover,
  cache: SessionCache,
  rpc: SessionRpc,
): Promise<OpenedSession> {
  // The very list, which nobody else has now: what the engine knows of it goes on being known.
  const events = cache.take(handover.sessionUid);
  events.splice(handover.baseSeq);
  const newer = await eventsAbove(events.length, handover, rpc);
  const stored = newer.filter(({ seq }) => seq > handover.baseSeq);
  for (const { seq, event } of newer) if (seq <= handover.baseSeq) events.push(event);
  return {
    session: {
      id: handover.sessionId,
      appName: handover.appName,
      userId: handover.userId,
      state: mergeState({ session: handover.sessionState, app: handover.appState, user: handover.userState }),
      events,
      lastUpdateTime: handover.lastUpdateTime,
    },
    stored,
  };
}

async function eventsAbove(seq: number, handover: Handover, rpc: SessionRpc): Promise<StoredEvent[]> {
  const { appName, userId, sessionId, lastSeq } = handover;
  const events = handover.fromSeq <= seq ? handover.events.filter((stored) => stored.seq > seq) : [];
  for (
    let afterSeq = events.at(-1)?.seq ?? seq;
    afterSeq < lastSeq;
    afterSeq = events.at(-1)?.seq ?? lastSeq
  ) {
    const page = await rpc.events({ appName, userId, sessionId, afterSeq, untilSeq: lastSeq });
    if (page.events.length === 0) break;
    events.push(...page.events);
  }
  return events;
}
