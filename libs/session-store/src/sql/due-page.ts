/** Where a page of what is due ended; the next one begins behind it. */
export interface DuePosition {
  readonly dueAt: string;
  readonly dispatchId: string;
}

/** A page of what is due, the longest due first. */
export interface DuePage<Item> {
  readonly items: readonly Item[];
  /** Undefined when this page is the last. */
  readonly next: DuePosition | undefined;
}

export interface DueOptions {
  readonly after?: DuePosition | undefined;
  readonly limit?: number;
}

interface DueRow {
  readonly due_at: string;
  readonly dispatch_id: string;
  /** Whether somebody waits for it. */
  readonly is_live: boolean;
}

/** What of a page somebody waits for; the rest is passed by, and counts for where it ends. */
export function toDuePage<Row extends DueRow, Item>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
): DuePage<Item> {
  const last = rows.at(-1);
  return {
    items: rows.filter(({ is_live: isLive }) => isLive).map(toItem),
    next: last && rows.length >= limit ? { dueAt: last.due_at, dispatchId: last.dispatch_id } : undefined,
  };
}

/**
 * Statement that reads a page of the open calls of these statuses whose time in `column` is past, by the index of that name:
 * chosen first, whatever the planner knows, so that what is not due is not read. $1 is the limit, $2 and $3 the position.
 */
export function readDue(column: 'deadline' | 'start_deadline', statuses: string): string {
  return `
  WITH due AS MATERIALIZED (
    SELECT t.dispatch_id, t.invocation_id, t.tool, t.pool, t.attempt, t.status, t.deadline, t.${column} AS due_at
      FROM adk_tool_calls t
     WHERE t.status IN (${statuses}) AND t.result IS NULL AND t.applied_seq IS NULL
       AND t.${column} < statement_timestamp()
       AND ($2::timestamptz IS NULL OR (t.${column}, t.dispatch_id) > ($2, $3::text))
     ORDER BY t.${column}, t.dispatch_id
     LIMIT $1)
  SELECT i.app_name, i.user_id, i.session_id, t.invocation_id, t.dispatch_id, t.tool, t.pool, t.attempt,
         (extract(epoch FROM t.deadline) * 1000)::bigint AS deadline_ms, t.status = 'queued' AS is_waiting,
         t.due_at::text AS due_at, i.status IN ('queued', 'running') AS is_live
    FROM due t
    JOIN adk_invocations i ON i.id = t.invocation_id
   ORDER BY t.due_at, t.dispatch_id`;
}
