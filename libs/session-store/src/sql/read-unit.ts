import { type AppendUnit } from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';
import { type HeldClaim } from './read-handover';

/** A call as it is by now. */
export interface StoredCall {
  readonly deadlineMs: number;
  readonly attempt: number;
  /** For its turn. */
  readonly isWaiting: boolean;
}

/** A unit that was found stored, and what whoever stored it had to do next and may not have lived to. */
export interface StoredUnit {
  readonly lastSeq: number;
  readonly cancelRequested: boolean;
  readonly calls: ReadonlyMap<string, StoredCall>;
  readonly session: { readonly sessionUid: string; readonly publishedSeq: number; readonly lastSeq: number };
  /** What its finish claimed, while the claimant has stored nothing of it. */
  readonly nextClaim: HeldClaim | undefined;
}

/** What the database holds of a unit that did not pass the fence. */
export type UnitVerdict =
  | { readonly kind: 'stored'; readonly stored: StoredUnit }
  /** Its predecessors are not all there yet, or its claim is not. */
  | { readonly kind: 'early' }
  /** It is the next one now: the unit before it came in between. */
  | { readonly kind: 'next' }
  /** It would end the invocation otherwise than as cancelled, which was asked for. */
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'fenced' };

/** Settles retries and commits whose answer was lost: a unit that is there is answered as it was the first time. */
export async function readUnit(pool: Pool, unit: AppendUnit): Promise<UnitVerdict> {
  const [row] = await query<UnitRow>(pool, statement, [
    unit.appName,
    unit.userId,
    unit.sessionId,
    unit.invocationId,
    unit.events.map(({ event }) => event.id),
    unit.calls.map(({ dispatchId }) => dispatchId),
    unit.runnerId,
    unit.epoch,
  ]);
  // In one look with the rest: the claim may come between two.
  if (!row?.is_claimed) return { kind: unit.isGuessed && row?.is_to_come ? 'early' : 'fenced' };
  if (!row.is_ended && row.cancel_requested && unit.finish && unit.finish.status !== 'cancelled') {
    return { kind: 'cancelled' };
  }
  if (!row.is_ended && unit.appendNo > row.append_no) {
    return { kind: unit.appendNo === row.append_no + 1 ? 'next' : 'early' };
  }
  return isStored(row, unit) ? { kind: 'stored', stored: toStored(row, unit) } : { kind: 'fenced' };
}

/** Its number alone says little: a unit may have no events. So all that leaves a row is counted too. */
function isStored(row: UnitRow, unit: AppendUnit): boolean {
  const isEnded = row.is_ended;
  const reached = isEnded ? (row.last_no ?? 0) : row.append_no;
  return (
    unit.appendNo <= reached &&
    // The unit that ends a segment is its last one, and no other unit is.
    (unit.finish !== undefined) === (isEnded && unit.appendNo === reached) &&
    row.stored_events === unit.events.length &&
    Object.keys(row.calls ?? {}).length === unit.calls.length
  );
}

function toStored(row: UnitRow, { runnerId, epoch, finish }: AppendUnit): StoredUnit {
  return {
    lastSeq: row.unit_seq ?? row.last_seq,
    cancelRequested: row.cancel_requested,
    calls: new Map(Object.entries(row.calls ?? {})),
    session: { sessionUid: row.uid, publishedSeq: row.published_seq, lastSeq: row.last_seq },
    nextClaim:
      finish === undefined || row.next_id === null
        ? undefined
        : { invocationId: row.next_id, runnerId, epoch: epoch + 1 },
  };
}

interface UnitRow {
  readonly is_claimed: boolean;
  /** A run that was begun by a guess may be here before the submit that claims it has the session's lock. */
  readonly is_to_come: boolean;
  readonly uid: string;
  readonly append_no: number;
  readonly published_seq: number;
  readonly last_seq: number;
  readonly is_ended: boolean;
  readonly last_no: number | null;
  readonly cancel_requested: boolean;
  readonly stored_events: number;
  readonly unit_seq: number | null;
  readonly calls: Record<string, StoredCall> | null;
  readonly next_id: string | null;
}

// A segment that ended is known by the epoch it ended under, also when the session, or the invocation itself, has gone
// on since; of one that was taken back or given up nothing is answered.
const statement = {
  name: 'read-unit',
  text: `
  SELECT i.id IS NOT NULL AS is_claimed,
         i.id IS NULL AND s.owner_epoch = $8::bigint - 1
           AND NOT EXISTS (SELECT FROM adk_invocations n WHERE n.id = $4) AS is_to_come,
         s.uid, s.append_no, s.published_seq, s.last_seq, i.last_no,
         coalesce(i.last_epoch = $8::bigint, false) AS is_ended,
         i.cancel_requested_at IS NOT NULL AS cancel_requested, e.stored_events, e.unit_seq,
         (SELECT jsonb_object_agg(t.dispatch_id, jsonb_build_object(
                   'deadlineMs', (extract(epoch FROM t.deadline) * 1000)::bigint, 'attempt', t.attempt,
                   'isWaiting', t.status = 'queued'))
            FROM adk_tool_calls t WHERE t.dispatch_id = ANY ($6) AND t.invocation_id = i.id) AS calls,
         (SELECT n.id FROM adk_invocations n
           WHERE n.app_name = $1 AND n.user_id = $2 AND n.session_id = $3 AND n.status = 'running'
             AND n.owner = $7 AND n.epoch = $8::bigint + 1 AND n.claim_id IS NULL AND s.append_no = 0) AS next_id
    FROM adk_sessions s
    LEFT JOIN adk_invocations i
      ON i.id = $4 AND i.app_name = s.app_name AND i.user_id = s.user_id AND i.session_id = s.id
     AND (i.last_epoch = $8::bigint
          OR i.owner = $7 AND i.epoch = $8::bigint AND i.status = 'running' AND s.owner_epoch = $8::bigint),
         LATERAL (SELECT count(*)::int AS stored_events, max(e.seq) AS unit_seq
                    FROM adk_events e
                   WHERE e.app_name = $1 AND e.user_id = $2 AND e.session_id = $3 AND e.id = ANY ($5)
                     AND e.invocation_id = $4) e
   WHERE s.app_name = $1 AND s.user_id = $2 AND s.id = $3`,
};
