import { AdkError, type CancelInvocation, type SessionKey } from '@skein/contracts';
import { type Pool } from 'pg';
import { type UnpublishedSession } from './find-unpublished';
import { query } from './query';
import { type HeldClaim } from './read-handover';

/** One invocation that was cancelled: `ended`, or running still, for its holder to end. */
export interface CancelledInvocation {
  readonly invocationId: string;
  readonly segment: number;
  /** The session's head with the events that tell of the end; absent while it runs. */
  readonly endSeq: number | undefined;
  /** Who ran it, and perhaps still does. */
  readonly holder: HeldClaim | undefined;
}

export interface Cancelling {
  /** Absent when the invocation was over already. */
  readonly cancelled: CancelledInvocation | undefined;
  readonly head: UnpublishedSession;
  /** What the session goes on with, when nothing of it runs. */
  readonly next: { readonly invocationId: string; readonly epoch: number } | undefined;
}

/**
 * Cancels an invocation: what is queued or waits ends at once, what runs is to be ended by its holder. Asked for again
 * it changes nothing.
 */
export async function cancelInvocation(pool: Pool, request: CancelInvocation): Promise<Cancelling> {
  const cancelling = await cancel(pool, request, false);
  if (cancelling) return cancelling;
  const { invocationId } = request;
  throw new AdkError('not_found', 'invocation.not-found', `Invocation not found: ${invocationId}`);
}

/** Ends what was asked to end and has not; its holder is fenced. Nothing when it came to its end. */
export async function endOverdueCancel(
  pool: Pool,
  request: CancelInvocation,
): Promise<Cancelling | undefined> {
  return cancel(pool, request, true);
}

async function cancel(
  pool: Pool,
  { invocationId, ...key }: CancelInvocation,
  isDue: boolean,
): Promise<Cancelling | undefined> {
  const { appName, userId, sessionId } = key;
  const values = [appName, userId, sessionId, invocationId, isDue];
  const [row] = await query<CancelRow>(pool, statement, values);
  return (
    row && {
      cancelled: row.cancelled ? toCancelled(row.cancelled) : undefined,
      head: {
        key: { appName, userId, sessionId },
        sessionUid: row.session_uid,
        publishedSeq: row.published_seq,
        lastSeq: row.last_seq,
      },
      next: row.next_id === null ? undefined : { invocationId: row.next_id, epoch: row.next_epoch ?? 0 },
    }
  );
}

/** Of what `skein_cancel_one` answers. */
export function toCancelled(row: CancelledRow): CancelledInvocation {
  const { invocationId, segment, runnerId, epoch, lastSeq } = row;
  return {
    invocationId,
    segment,
    endSeq: lastSeq ?? undefined,
    holder: runnerId === null ? undefined : { invocationId, runnerId, epoch },
  };
}

/** Invocations whose cancel was asked for longer ago than this, and that are not over. */
export async function findOverdueCancels(
  pool: Pool,
  olderThanMs: number,
  limit = 200,
): Promise<CancelInvocation[]> {
  const rows = await query<Record<keyof SessionKey | 'invocationId', string>>(pool, overdueStatement, [
    olderThanMs,
    limit,
  ]);
  return rows;
}

export interface CancelledRow {
  readonly invocationId: string;
  readonly segment: number;
  readonly epoch: number;
  readonly runnerId: string | null;
  readonly lastSeq: number | null;
}

interface CancelRow {
  readonly cancelled: CancelledRow | null;
  readonly session_uid: string;
  readonly published_seq: number;
  readonly last_seq: number;
  readonly next_id: string | null;
  readonly next_epoch: number | null;
}

const statement = {
  name: 'cancel-invocation',
  text: 'SELECT * FROM skein_cancel($1, $2, $3, $4, $5)',
};

const overdueStatement = {
  name: 'find-overdue-cancels',
  text: `
  SELECT app_name AS "appName", user_id AS "userId", session_id AS "sessionId", id AS "invocationId"
    FROM adk_invocations
   WHERE status IN ('queued', 'running')
     AND cancel_requested_at < clock_timestamp() - $1::bigint * interval '1 millisecond'
   ORDER BY cancel_requested_at
   LIMIT $2`,
};
