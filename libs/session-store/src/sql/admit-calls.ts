import { type Pool } from 'pg';
import { query } from './query';

export interface WaitingTool {
  readonly appName: string;
  readonly tool: string;
}

export interface ServedTool extends WaitingTool {
  /** How many of its runs go on although their calls are over: each takes a place below its `maxConcurrency`. */
  readonly leftBehind?: number;
}

export interface AdmitOptions {
  readonly pool: string;
  /** Those with a live worker: calls of others go on waiting. */
  readonly tools: readonly ServedTool[];
  /** Those without: who waits for nothing else gets no share, and takes none from the others. */
  readonly unserved?: readonly WaitingTool[];
  /** How many calls the live workers of the pool run at the same time. */
  readonly capacity: number;
  readonly limit?: number;
}

export interface Admission {
  /** In the order of their turns; whoever asked sends them, and what it does not live to send is found unsent. */
  readonly dispatchIds: readonly string[];
  /** How many calls one user may have under way in the pool; undefined where it is full: as before. */
  readonly share: number | undefined;
  /** When the next call is due or a rate lets one through; undefined when only the end of a call makes room. */
  readonly waitMs: number | undefined;
  /** There was more to look at than one round does. */
  readonly hasMore: boolean;
  /** Some call waits for nothing but room in the pool, or for its user to have less under way. */
  readonly isHeld: boolean;
}

/** Lets calls of a pool that wait for their turn go, as far as there is room. However many ask at once, limits hold. */
export async function admitCalls(
  database: Pool,
  { pool, tools, unserved = [], capacity, limit = 200 }: AdmitOptions,
): Promise<Admission> {
  const waiting = [
    ...tools.map(({ appName, tool, leftBehind = 0 }) => ({
      ...{ app_name: appName, tool },
      ...(leftBehind > 0 && { left_behind: leftBehind }),
    })),
    ...unserved.map(({ appName, tool }) => ({ app_name: appName, tool, is_unserved: true })),
  ];
  const [row] = await query<AdmitRow>(database, admitStatement, [
    pool,
    JSON.stringify(waiting),
    Math.max(1, Math.ceil(capacity)),
    limit,
  ]);
  const { admitted = [], share = null, waitMs = null, hasMore = false, isHeld = false } = row?.answer ?? {};
  const known = { share: share ?? undefined, waitMs: waitMs ?? undefined };
  return { dispatchIds: admitted, ...known, hasMore, isHeld };
}

/** The tools that calls of a pool wait for. */
export async function listWaitingTools(database: Pool, pool: string): Promise<WaitingTool[]> {
  const rows = await query<{ app_name: string; tool: string }>(database, toolsStatement, [pool]);
  return rows.map((row) => ({ appName: row.app_name, tool: row.tool }));
}

/** The pools in which calls wait for their turn. */
export async function listWaitingPools(database: Pool): Promise<string[]> {
  const rows = await query<{ pool: string }>(database, poolsStatement, []);
  return rows.map(({ pool }) => pool);
}

interface AdmitRow {
  readonly answer: {
    readonly admitted: readonly string[];
    readonly share: number | null;
    readonly waitMs: number | null;
    readonly hasMore: boolean;
    /** Of a database that a version before made, not there. */
    readonly isHeld?: boolean;
  };
}

const admitStatement = {
  name: 'admit-calls',
  text: 'SELECT skein_admit($1, $2::jsonb, $3::integer, $4::integer) AS answer',
};

/** One look-up for each, however many calls wait. */
const toolsStatement = {
  name: 'list-waiting-tools',
  text: `
  WITH RECURSIVE tools AS (
    (SELECT t.app_name, t.tool FROM adk_tool_calls t
      WHERE t.status = 'queued' AND t.call_index >= 0 AND t.pool = $1
      ORDER BY t.app_name, t.tool LIMIT 1)
    UNION ALL
    SELECT n.app_name, n.tool
      FROM tools,
           LATERAL (SELECT t.app_name, t.tool FROM adk_tool_calls t
                     WHERE t.status = 'queued' AND t.call_index >= 0 AND t.pool = $1
                       AND (t.app_name, t.tool) > (tools.app_name, tools.tool)
                     ORDER BY t.app_name, t.tool LIMIT 1) n)
  SELECT app_name, tool FROM tools`,
};

const poolsStatement = {
  name: 'list-waiting-pools',
  text: `
  WITH RECURSIVE pools AS (
    (SELECT t.pool FROM adk_tool_calls t WHERE t.status = 'queued' ORDER BY t.pool LIMIT 1)
    UNION ALL
    SELECT n.pool
      FROM pools,
           LATERAL (SELECT t.pool FROM adk_tool_calls t
                     WHERE t.status = 'queued' AND t.pool > pools.pool
                     ORDER BY t.pool LIMIT 1) n)
  SELECT pool FROM pools`,
};
