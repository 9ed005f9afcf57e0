import { type ToolResultMessage } from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';

export interface UnappliedResult {
  readonly runnerId: string;
  readonly result: ToolResultMessage;
}

/** Where a page ended. */
export interface UnappliedPosition {
  readonly sentAt: string;
  readonly dispatchId: string;
}

export interface UnappliedResultsPage {
  readonly results: readonly UnappliedResult[];
  /** Where the next page begins; undefined when this one is empty. */
  readonly next: UnappliedPosition | undefined;
}

export interface UnappliedOptions {
  readonly after?: UnappliedPosition | undefined;
  readonly limit?: number;
  /** How large the results of a page are together, in bytes of JSON; one is given whatever its size. */
  readonly maxBytes?: number;
}

const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Stored results the present owner of their invocation has not been given, the longest waiting first; and such as it has
 * had for 30 s without applying them, because given once more it does no harm, and lost it would be waited for for ever.
 * An owner whose lease is over is not asked any more: the next one reads them with its hand-over.
 */
export async function readUnappliedResults(
  pool: Pool,
  { after, limit = 50, maxBytes = MAX_BYTES }: UnappliedOptions = {},
): Promise<UnappliedResultsPage> {
  const values = [limit, maxBytes, after?.sentAt ?? null, after?.dispatchId ?? null];
  const rows = await query<UnappliedRow>(pool, statement, values);
  const last = rows.at(-1);
  return {
    results: rows.map(({ owner, result }) => ({ runnerId: owner, result })),
    next: last && { sentAt: last.sent_at, dispatchId: last.dispatch_id },
  };
}

interface UnappliedRow {
  readonly owner: string;
  readonly dispatch_id: string;
  readonly sent_at: string;
  readonly result: ToolResultMessage;
}

/** Notes that the owner of this epoch has taken the result. */
export async function markForwarded(pool: Pool, dispatchId: string, epoch: number): Promise<void> {
  await query(pool, markStatement, [dispatchId, epoch]);
}

const statement = {
  name: 'read-unapplied-results',
  text: `
  SELECT owner, dispatch_id, sent_at::text AS sent_at, result
    FROM (SELECT w.*, row_number() OVER place AS n, sum(octet_length(w.result::text)) OVER place AS bytes
            FROM (SELECT i.owner, t.dispatch_id, t.sent_at, t.result
                    FROM adk_invocations i
                    JOIN adk_tool_calls t ON t.invocation_id = i.id
                   WHERE i.status = 'running' AND i.lease_until > clock_timestamp()
                     AND t.result IS NOT NULL AND t.applied_seq IS NULL
                     AND (t.forwarded_epoch IS DISTINCT FROM i.epoch
                          OR t.forwarded_at < clock_timestamp() - interval '30 s')
                     AND ($3::timestamptz IS NULL OR (t.sent_at, t.dispatch_id) > ($3, $4::text))
                   ORDER BY t.sent_at, t.dispatch_id
                   LIMIT $1) w
          WINDOW place AS (ORDER BY w.sent_at, w.dispatch_id)) sized
   WHERE n = 1 OR bytes <= $2
   ORDER BY sized.sent_at, dispatch_id`,
};

const markStatement = {
  name: 'mark-forwarded',
  text: 'UPDATE adk_tool_calls SET forwarded_epoch = $2, forwarded_at = clock_timestamp() WHERE dispatch_id = $1',
};
