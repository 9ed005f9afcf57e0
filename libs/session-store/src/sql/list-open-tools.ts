import { type Pool } from 'pg';
import { query } from './query';

/** A tool that has open calls in a pool. */
export interface OpenTool {
  readonly appName: string;
  readonly tool: string;
  readonly pool: string;
}

/**
 * The tools that have open calls: one look-up for each of those that calls wait for, however many wait, and what is under way,
 * of which there is little more than the workers run.
 */
export async function listOpenTools(pool: Pool): Promise<OpenTool[]> {
  const rows = await query<{ pool: string; app_name: string; tool: string }>(pool, statement, []);
  return rows.map((row) => ({ appName: row.app_name, tool: row.tool, pool: row.pool }));
}

const statement = {
  name: 'list-open-tools',
  text: `
  WITH RECURSIVE waiting AS (
    (SELECT t.pool, t.app_name, t.tool FROM adk_tool_calls t
      WHERE t.status = 'queued' AND t.call_index >= 0
      ORDER BY t.pool, t.app_name, t.tool LIMIT 1)
    UNION ALL
    SELECT n.pool, n.app_name, n.tool
      FROM waiting,
           LATERAL (SELECT t.pool, t.app_name, t.tool FROM adk_tool_calls t
                     WHERE t.status = 'queued' AND t.call_index >= 0
                       AND (t.pool, t.app_name, t.tool) > (waiting.pool, waiting.app_name, waiting.tool)
                     ORDER BY t.pool, t.app_name, t.tool LIMIT 1) n)
  SELECT pool, app_name, tool FROM waiting
   UNION
  SELECT t.pool, t.app_name, t.tool FROM adk_tool_calls t
   WHERE t.status IN ('dispatched', 'running') AND t.app_name IS NOT NULL`,
};
