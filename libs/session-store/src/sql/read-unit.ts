import { type AppendUnit, type InvocationStatus } from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';

/** What the database holds of a unit that did not pass the fence. */
export type UnitVerdict =
  | {
      readonly kind: 'stored';
      readonly lastSeq: number;
      readonly cancelRequested: boolean;
      readonly deadlines: ReadonlyMap<string, number>;
    }
  /** Its predecessors are not all there yet. */
  | { readonly kind: 'early' }
  /** It is the next one now: the unit before it came in between. */
  | { readonly kind: 'next' }
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
  ]);
  if (!row) return { kind: 'fenced' };
  if (row.epoch !== unit.epoch || !isStillOrWasOurs(row, unit)) return { kind: 'fenced' };
  if (row.status === 'running' && unit.appendNo > row.append_no) {
    return { kind: unit.appendNo === row.append_no + 1 ? 'next' : 'early' };
  }
  if (row.stored_events !== unit.events.length) return { kind: 'fenced' };
  return {
    kind: 'stored',
    lastSeq: row.unit_seq ?? row.last_seq,
    cancelRequested: row.cancel_requested,
    deadlines: new Map(Object.entries(row.deadlines ?? {})),
  };
}

/** An ended invocation keeps the epoch it ended under, also when the session has gone on to its next one. */
function isStillOrWasOurs(row: UnitRow, unit: AppendUnit): boolean {
  if (row.status === 'running') return row.owner_epoch === unit.epoch;
  return row.status !== 'queued' && row.status !== 'dead';
}

interface UnitRow {
  readonly owner_epoch: number;
  readonly append_no: number;
  readonly last_seq: number;
  readonly epoch: number;
  readonly status: InvocationStatus;
  readonly cancel_requested: boolean;
  readonly stored_events: number;
  readonly unit_seq: number | null;
  readonly deadlines: Record<string, number> | null;
}

const statement = {
  name: 'read-unit',
  text: `
  SELECT s.owner_epoch, s.append_no, s.last_seq, i.epoch, i.status, i.cancel_requested_at IS NOT NULL AS cancel_requested,
         e.stored_events, e.unit_seq,
         (SELECT jsonb_object_agg(t.dispatch_id, (extract(epoch FROM t.deadline) * 1000)::bigint)
            FROM adk_tool_calls t WHERE t.dispatch_id = ANY ($6) AND t.invocation_id = i.id) AS deadlines
    FROM adk_sessions s
    JOIN adk_invocations i
      ON i.id = $4 AND i.app_name = s.app_name AND i.user_id = s.user_id AND i.session_id = s.id,
         LATERAL (SELECT count(*)::int AS stored_events, max(e.seq) AS unit_seq
                    FROM adk_events e
                   WHERE e.app_name = $1 AND e.user_id = $2 AND e.session_id = $3 AND e.id = ANY ($5)
                     AND e.invocation_id = $4) e
   WHERE s.app_name = $1 AND s.user_id = $2 AND s.id = $3`,
};
