import { AdkError, type EventPage, type ReadEvents } from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';
import { readEvents } from './read-events';

/** A page of a session's events, with the head as it was just before; rejects when there is no such session. */
export async function readEventPage(pool: Pool, request: ReadEvents): Promise<EventPage> {
  const { appName, userId, sessionId } = request;
  const [head] = await query<HeadRow>(pool, statement, [appName, userId, sessionId]);
  if (!head) throw new AdkError('not_found', 'session.not-found', `Session not found: ${sessionId}`);
  const untilSeq = Math.min(head.last_seq, request.untilSeq ?? head.last_seq);
  const events = untilSeq <= request.afterSeq ? [] : await readEvents(pool, { ...request, untilSeq });
  return { sessionUid: head.uid, lastSeq: head.last_seq, events };
}

interface HeadRow {
  readonly uid: string;
  readonly last_seq: number;
}

const statement = {
  name: 'read-head',
  text: 'SELECT uid, last_seq FROM adk_sessions WHERE app_name = $1 AND user_id = $2 AND id = $3',
};
