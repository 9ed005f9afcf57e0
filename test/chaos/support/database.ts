import { type Event } from '@skein/contracts';
import { Client } from 'pg';

export interface StoredSession {
  readonly app: string;
  readonly id: string;
  readonly state: Readonly<Record<string, unknown>>;
  readonly lastSeq: number;
  readonly publishedSeq: number;
}

export interface StoredEvent extends Pick<
  Event,
  'id' | 'author' | 'content' | 'actions' | 'longRunningToolIds' | 'errorCode'
> {
  readonly seq: number;
  readonly app: string;
  readonly sessionId: string;
  readonly invocationId: string;
}

export interface StoredInvocation {
  readonly id: string;
  readonly sessionId: string;
  readonly status: string;
  /** Who ran it last. */
  readonly owner: string | null;
  readonly isLeased: boolean;
  readonly attempt: number;
  readonly epoch: number;
}

export interface StoredCall {
  readonly dispatchId: string;
  readonly invocationId: string;
  readonly sessionId: string;
  readonly callId: string;
  readonly tool: string;
  readonly status: string;
  readonly appliedSeq: number | null;
}

/** What Postgres says of everything, in one snapshot: the record the invariants are checked against. */
export interface Stored {
  readonly sessions: readonly StoredSession[];
  readonly events: readonly StoredEvent[];
  readonly invocations: readonly StoredInvocation[];
  readonly calls: readonly StoredCall[];
  readonly journalRows: number;
}

const ENDED = `('completed', 'failed', 'cancelled', 'dead')`;

/** A connection of the test's own, for one purpose. */
export async function withDatabase<T>(databaseUrl: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // The query that fails because of it carries the same error.
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

export function readStored(databaseUrl: string): Promise<Stored> {
  return withDatabase(databaseUrl, async (client) => {
    const rows = async <T>(text: string): Promise<T[]> => (await client.query(text)).rows as T[]; // As selected.
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return {
      sessions: await rows<StoredSession>(
        `SELECT app_name AS app, id, state, last_seq::int AS "lastSeq", published_seq::int AS "publishedSeq"
           FROM adk_sessions`,
      ),
      events: await rows<StoredEvent>(
        `SELECT app_name AS app, session_id AS "sessionId", id, seq::int AS seq, author, content, actions,
                error_code AS "errorCode",
                invocation_id AS "invocationId", coalesce(long_running_tool_ids, '{}') AS "longRunningToolIds"
           FROM adk_events ORDER BY app_name, session_id, seq`,
      ),
      invocations: await rows<StoredInvocation>(
        `SELECT id, session_id AS "sessionId", status, owner, lease_until IS NOT NULL AS "isLeased", attempt,
                epoch::int AS epoch
           FROM adk_invocations`,
      ),
      calls: await rows<StoredCall>(
        `SELECT t.dispatch_id AS "dispatchId", t.invocation_id AS "invocationId", i.session_id AS "sessionId",
                t.call_id AS "callId", t.tool, t.status, t.applied_seq::int AS "appliedSeq"
           FROM adk_tool_calls t JOIN adk_invocations i ON i.id = t.invocation_id`,
      ),
      journalRows: Number(
        (
          await rows<{ n: string }>(
            `SELECT count(*) AS n FROM adk_journal j JOIN adk_invocations i ON i.id = j.invocation_id
              WHERE i.status IN ${ENDED}`,
          )
        )[0]?.n,
      ),
    };
  });
}

/** Ended in whatever way, or waiting for somebody. */
export function isAtRest({ status }: StoredInvocation): boolean {
  return status !== 'queued' && status !== 'running';
}
