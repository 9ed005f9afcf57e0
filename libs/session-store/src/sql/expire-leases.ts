import { type InvocationError, type SessionKey } from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';

export interface Expired {
  readonly invocationId: string;
  readonly key: SessionKey;
  readonly status: 'queued' | 'dead';
  readonly error: InvocationError | undefined;
  /** The one that is lost. */
  readonly epoch: number;
  readonly lastSeq: number;
}

interface ExpiredRow {
  readonly invocation_id: string;
  readonly status: 'queued' | 'dead';
  readonly error: InvocationError | null;
  readonly app_name: string;
  readonly user_id: string;
  readonly session_id: string;
  readonly epoch: number;
  readonly last_seq: number;
}

const MAX_ATTEMPTS = 5;

/** Queues again what lost its owner, or gives it up after five attempts without a stored step. */
export async function expireLeases(pool: Pool, limit = 200): Promise<Expired[]> {
  const rows = await query<ExpiredRow>(pool, statement, [limit, MAX_ATTEMPTS]);
  return rows.map((row) => ({
    invocationId: row.invocation_id,
    key: { appName: row.app_name, userId: row.user_id, sessionId: row.session_id },
    status: row.status,
    error: row.error ?? undefined,
    epoch: row.epoch,
    lastSeq: row.last_seq,
  }));
}

const statement = {
  name: 'expire-leases',
  text: 'SELECT * FROM skein_expire($1::integer, $2::integer)',
};
