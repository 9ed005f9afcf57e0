import { type InvocationError, type SessionKey } from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';

export interface Expired {
  readonly invocationId: string;
  readonly key: SessionKey;
  readonly sessionUid: string;
  readonly segment: number;
  /** Whether the segment was given up; `error` says why. */
  readonly isDead: boolean;
  readonly error: InvocationError | undefined;
  /** Where the invocation stands now: queued again, also a dead one that an early answer goes on with. */
  readonly status: 'queued' | 'dead';
  /** The one that is lost. */
  readonly epoch: number;
  readonly publishedSeq: number;
  /** The session's head, with the events that tell of the end of a dead one. */
  readonly lastSeq: number;
}

interface ExpiredRow {
  readonly invocation_id: string;
  readonly segment: number;
  readonly status: 'queued' | 'dead';
  readonly is_dead: boolean;
  readonly error: InvocationError | null;
  readonly app_name: string;
  readonly user_id: string;
  readonly session_id: string;
  readonly session_uid: string;
  readonly epoch: number;
  readonly published_seq: number;
  readonly last_seq: number;
}

const MAX_ATTEMPTS = 5;

/** Queues again what lost its owner, or ends it after five attempts without a stored step. */
export async function expireLeases(pool: Pool, limit = 200): Promise<Expired[]> {
  const rows = await query<ExpiredRow>(pool, statement, [limit, MAX_ATTEMPTS]);
  return rows.map((row) => ({
    invocationId: row.invocation_id,
    key: { appName: row.app_name, userId: row.user_id, sessionId: row.session_id },
    sessionUid: row.session_uid,
    segment: row.segment,
    status: row.status,
    isDead: row.is_dead,
    error: row.error ?? undefined,
    epoch: row.epoch,
    publishedSeq: row.published_seq,
    lastSeq: row.last_seq,
  }));
}

const statement = {
  name: 'expire-leases',
  text: 'SELECT * FROM skein_expire($1::integer, $2::integer)',
};
