import { type Pool } from 'pg';
import { type OpenTool } from './list-open-tools';
import { query } from './query';

/** The open calls of one tool: those whose result nobody has, and those that were sent again by hand. */
export interface OpenCalls {
  readonly appName: string;
  readonly tool: string;
  readonly pool: string;
  /** Not given to a pool yet. */
  readonly queued: number;
  /** Given to it, whether or not a worker has begun. */
  readonly dispatched: number;
  /** The oldest of them, oldest first: their ids, and for how long they have been stored. */
  readonly oldest: readonly { readonly dispatchId: string; readonly seconds: number }[];
}

/** Enough to look past those that workers run for long. */
const OLDEST = 256;

/**
 * What is to be done for tools, by tool, from the calls themselves: what JetStream says of its queues leaves out what it gave
 * up, and what was never sent.
 */
export async function measureToolCalls(pool: Pool): Promise<OpenCalls[]> {
  return (await query<OpenCallsRow>(pool, statement, [OLDEST])).map(toOpenCalls);
}

/** The same of these tools alone; calls of others are not read. */
export async function measureCallsOf(pool: Pool, tools: readonly OpenTool[]): Promise<OpenCalls[]> {
  const of = tools.map(({ appName, ...rest }) => ({ app_name: appName, ...rest }));
  return (await query<OpenCallsRow>(pool, ofStatement, [OLDEST, JSON.stringify(of)])).map(toOpenCalls);
}

function toOpenCalls(row: OpenCallsRow): OpenCalls {
  return {
    appName: row.app_name,
    tool: row.tool,
    pool: row.pool,
    queued: row.queued,
    dispatched: row.dispatched,
    oldest: row.oldest_ids.map((dispatchId, index) => ({
      dispatchId,
      seconds: Math.max(0, row.oldest_seconds[index] ?? 0),
    })),
  };
}

interface OpenCallsRow {
  readonly app_name: string;
  readonly tool: string;
  readonly pool: string;
  readonly queued: number;
  readonly dispatched: number;
  readonly oldest_ids: readonly string[];
  readonly oldest_seconds: readonly number[];
}

/** What is open of the calls that `of` names, by the index of each status: the calls that are over are never read. */
const openCalls = (of: string): string => {
  const calls = (condition: string): string => `
    SELECT t.dispatch_id, t.invocation_id, t.tool, t.pool, t.status, t.inserted_at, t.applied_seq,
           t.result IS NOT NULL AS has_result
      FROM adk_tool_calls t
     WHERE ${condition} ${of}`;
  // Always true, the index of what waits, by tool, names it.
  return `(${calls(`t.status = 'queued' AND t.call_index >= 0`)}
     UNION ALL ${calls(`t.status IN ('dispatched', 'running')`)})`;
};

const measure = (from: string): string => `
  SELECT i.app_name, t.tool, t.pool,
         count(*) FILTER (WHERE t.status = 'queued') AS queued,
         count(*) FILTER (WHERE t.status <> 'queued') AS dispatched,
         (array_agg(t.dispatch_id ORDER BY t.inserted_at))[1:$1] AS oldest_ids,
         (array_agg(extract(epoch FROM clock_timestamp() - t.inserted_at)::float8 ORDER BY t.inserted_at))[1:$1]
           AS oldest_seconds
    FROM ${from}
    JOIN adk_invocations i ON i.id = t.invocation_id
   WHERE t.has_result OR i.status IN ('queued', 'running') AND t.applied_seq IS NULL
   GROUP BY i.app_name, t.tool, t.pool`;

const statement = { name: 'measure-tool-calls', text: measure(`${openCalls('')} t`) };

const ofStatement = {
  name: 'measure-calls-of',
  text: measure(`jsonb_to_recordset($2::jsonb) AS w(pool text, app_name text, tool text)
   CROSS JOIN LATERAL ${openCalls('AND t.pool = w.pool AND t.app_name = w.app_name AND t.tool = w.tool')} t`),
};
