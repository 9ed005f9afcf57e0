import { type GetSession, type Session, type SessionKey } from '@skein/contracts';
import { foldSessionState, mergeState } from '@skein/engine';
import { type Pool } from 'pg';
import { EVENT_COLUMNS } from './event-columns';
import { query, type Queryable } from './query';
import { type StoredEventRow, toStoredEvent } from './read-events';

/** A session with merged state and the events asked for, in order; absent when there is none. */
export async function readSession(pool: Pool, request: GetSession): Promise<Session | undefined> {
  const { appName, userId, sessionId } = request;
  const [row] = await query<SessionRow>(pool, sessionStatement, [appName, userId, sessionId]);
  if (!row) return undefined;
  const { atSeq = row.last_seq } = request;
  const untilSeq = Math.min(row.last_seq, atSeq);
  const events = request.numRecentEvents === 0 ? [] : await recentEvents(pool, request, untilSeq);
  const state = untilSeq < row.last_seq ? await readStateAt(pool, request, row, untilSeq) : row.state;
  return { ...toSession({ ...row, state }), events };
}

/** A session's own state as it was when `seq` was its head. */
export async function readStateAt(
  database: Queryable,
  { appName, userId, sessionId }: SessionKey,
  { initial_state: initial }: Pick<SessionRow, 'initial_state'>,
  seq: number,
): Promise<Record<string, unknown>> {
  const [row] = await query<{ delta: Json | null }>(database, deltaStatement, [
    appName,
    userId,
    sessionId,
    seq,
  ]);
  return foldSessionState(initial, [row?.delta ?? {}]);
}

/** Up to the head that was read with the state, so that both are of one moment. */
async function recentEvents(pool: Pool, request: GetSession, untilSeq: number): Promise<Session['events']> {
  const rows = await query<StoredEventRow>(pool, eventsStatement, [
    request.appName,
    request.userId,
    request.sessionId,
    request.afterSeq ?? 0,
    untilSeq,
    request.afterTimestamp ?? null,
    request.numRecentEvents ?? null,
  ]);
  return rows.reverse().map((row) => toStoredEvent(row).event);
}

export function toSession(row: SessionRow): Session {
  return {
    id: row.id,
    appName: row.app_name,
    userId: row.user_id,
    state: mergeState({ session: row.state, app: row.app_state ?? {}, user: row.user_state ?? {} }),
    events: [],
    lastUpdateTime: row.updated_seconds,
  };
}

type Json = Record<string, unknown>;

export interface SessionRow {
  readonly id: string;
  readonly app_name: string;
  readonly user_id: string;
  readonly state: Json;
  readonly initial_state: Json;
  readonly app_state: Json | null;
  readonly user_state: Json | null;
  readonly last_seq: number;
  readonly updated_seconds: number;
}

/** A session with the shared scopes its merged state needs. */
export const SELECT_SESSIONS = `
  SELECT s.id, s.app_name, s.user_id, s.state, s.initial_state, a.state AS app_state, u.state AS user_state, s.last_seq,
         extract(epoch FROM s.updated_at)::float8 AS updated_seconds
    FROM adk_sessions s
    LEFT JOIN adk_app_states a ON a.app_name = s.app_name
    LEFT JOIN adk_user_states u ON u.app_name = s.app_name AND u.user_id = s.user_id`;

const sessionStatement = {
  name: 'read-session',
  text: `${SELECT_SESSIONS} WHERE s.app_name = $1 AND s.user_id = $2 AND s.id = $3`,
};

const eventsStatement = {
  name: 'read-session-events',
  text: `
  SELECT ${EVENT_COLUMNS}
    FROM adk_events e
   WHERE e.app_name = $1 AND e.user_id = $2 AND e.session_id = $3 AND e.seq > $4 AND e.seq <= $5
     AND ($6::float8 IS NULL OR e."timestamp" >= to_timestamp($6::float8))
   ORDER BY e.seq DESC
   LIMIT $7`,
};

// Of the deltas of all events up to here, each key's last value.
const deltaStatement = {
  name: 'read-state-at',
  text: `
  SELECT jsonb_object_agg(d.key, d.value ORDER BY e.seq) AS delta
    FROM adk_events e, jsonb_each(e.actions -> 'stateDelta') d
   WHERE e.app_name = $1 AND e.user_id = $2 AND e.session_id = $3 AND e.seq <= $4`,
};
