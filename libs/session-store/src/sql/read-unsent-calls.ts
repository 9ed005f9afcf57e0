import { type ToolCallMessage } from '@skein/contracts';
import { type Pool } from 'pg';
import { CALL_MESSAGE, contextOf, type CallMessageRow, toCallMessage } from './call-message';
import { query } from './query';

export interface UnsentOptions {
  readonly secret: string;
  /** How long who stored a call is given to send it, or its worker to answer. */
  readonly graceMs: number;
  /** Calls sent longer ago are sent again: the stream that held them may have been lost since. */
  readonly sentMoreThanMsAgo?: number | undefined;
  readonly limit?: number;
}

export interface UnsentCall {
  readonly message: ToolCallMessage;
  /** When this was read, by the database's clock in milliseconds: the earliest moment its sending can have begun. */
  readonly readAtMs: number;
  /** When the results before it were lost, in milliseconds: its message is then wanted a second time. */
  readonly resultsLostAtMs: number | undefined;
  /** The trace of the request the call's run belongs to. */
  readonly traceparent: string | undefined;
}

/**
 * Open calls whose message may never have reached its stream (who stored them failed to publish it, or died before it could)
 * or may be lost with it. Nothing tells which these are, so after the grace each is named until one sending of ours is
 * confirmed. The attempt stays the same: within the stream's two minutes the message's id makes a second one a no-op, and
 * a call that runs for longer was confirmed long before, so it is not started twice; one that only reads and left ahead (ADR 39)
 * may be. One that may run once only is begun
 * under this lib's eyes: once it is, it is not named any more.
 */
export async function readUnsentCalls(pool: Pool, options: UnsentOptions): Promise<UnsentCall[]> {
  const { secret, graceMs, sentMoreThanMsAgo = null, limit = 200 } = options;
  const rows = await query<UnsentRow>(pool, statement, [graceMs, sentMoreThanMsAgo, limit]);
  return rows.map((row) => toUnsent(row, secret));
}

/** Calls that are named, to be sent: just admitted, or of a unit that was found stored. Those that ended meanwhile are missing. */
export async function readAdmittedCalls(
  pool: Pool,
  secret: string,
  dispatchIds: readonly string[],
): Promise<UnsentCall[]> {
  const rows = await query<UnsentRow>(pool, admittedStatement, [dispatchIds]);
  return rows.map((row) => toUnsent(row, secret));
}

function toUnsent(row: UnsentRow, secret: string): UnsentCall {
  return {
    message: toCallMessage(row, secret),
    readAtMs: row.read_ms,
    resultsLostAtMs: row.lost_ms ?? undefined,
    traceparent: row.traceparent ?? undefined,
  };
}

/** Which sending of a call it was. */
export interface SentCall extends Pick<UnsentCall, 'readAtMs'> {
  readonly message: Pick<ToolCallMessage, 'ticket' | 'returned'>;
}

/**
 * Notes that the stream has the messages of these calls: after their PubAcks, so that a sender that dies before leaves them
 * unsent. A row that somebody else changes at the moment is passed by: it ends, or is named again and sent a second time.
 * So is one that has ended, or was given back or tried again since: that sending is another one.
 */
export async function confirmSent(pool: Pool, calls: readonly SentCall[]): Promise<void> {
  if (calls.length === 0) return;
  const messages = calls.map(({ message }) => message);
  await query(pool, confirmStatement, [
    messages.map(({ ticket }) => ticket.dispatchId),
    calls.map(({ readAtMs }) => readAtMs),
    messages.map(({ ticket }) => ticket.attempt),
    messages.map(({ returned = 0 }) => returned),
  ]);
}

interface UnsentRow extends CallMessageRow {
  readonly read_ms: number;
  readonly lost_ms: number | null;
}

/** What was sent before that may be lost: the stream that held it was, or may have been while nobody was connected. */
const LOST = `(SELECT greatest(now() - $2::bigint * interval '1 millisecond',
                            max(lost.seen_at) FILTER (WHERE lost.name IN ('TOOLS', 'RESULTS')))
                   FROM adk_streams lost)`;

const GRACE = `now() - $1::bigint * interval '1 millisecond'`;

/** By the index of when calls were sent, so that those that are known to be in their stream are not read. */
function unsent(condition: string, order: string): string {
  return `(SELECT t.dispatch_id, t.invocation_id, t.sent_at, t.confirmed_at
               FROM adk_tool_calls t
               JOIN adk_invocations i ON i.id = t.invocation_id
              WHERE t.status = 'dispatched' AND t.result IS NULL AND t.applied_seq IS NULL AND ${condition}
                AND t.deadline > now() AND i.status = 'running'
              ORDER BY ${order}
              LIMIT $3)`;
}

const statement = {
  name: 'read-unsent-calls',
  text: `
  WITH due AS MATERIALIZED (
    SELECT u.dispatch_id, u.invocation_id, u.sent_at, coalesce(u.confirmed_at, u.sent_at) AS at
      FROM (${unsent(`t.confirmed_at IS NULL AND t.sent_at < greatest(${GRACE}, ${LOST})`, 't.sent_at')}
            UNION ALL
            ${unsent(`t.confirmed_at < ${LOST}`, 't.confirmed_at')}) u
     ORDER BY u.sent_at
     LIMIT $3),
  ${contextOf('SELECT DISTINCT due.invocation_id FROM due')}
  SELECT ${CALL_MESSAGE},
         (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS read_ms,
         CASE WHEN results.seen_at > tools.seen_at AND due.at < results.seen_at
              THEN (extract(epoch FROM results.seen_at) * 1000)::bigint END AS lost_ms
    FROM due
    JOIN adk_tool_calls t ON t.dispatch_id = due.dispatch_id
    JOIN adk_invocations i ON i.id = t.invocation_id
    JOIN context ON context.invocation_id = t.invocation_id
    LEFT JOIN adk_streams tools ON tools.name = 'TOOLS'
    LEFT JOIN adk_streams results ON results.name = 'RESULTS'
   ORDER BY due.sent_at`,
};

const admittedStatement = {
  name: 'read-admitted-calls',
  text: `
  WITH ${contextOf('SELECT DISTINCT t.invocation_id FROM adk_tool_calls t WHERE t.dispatch_id = ANY ($1::text[])')}
  SELECT ${CALL_MESSAGE}, (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS read_ms, NULL AS lost_ms
    FROM unnest($1::text[]) WITH ORDINALITY AS admitted(dispatch_id, n)
    JOIN adk_tool_calls t ON t.dispatch_id = admitted.dispatch_id
    JOIN adk_invocations i ON i.id = t.invocation_id
    JOIN context ON context.invocation_id = t.invocation_id
   WHERE t.status = 'dispatched' AND t.result IS NULL AND t.applied_seq IS NULL
   ORDER BY admitted.n`,
};

const confirmStatement = {
  name: 'confirm-sent-calls',
  text: `
  UPDATE adk_tool_calls t
     SET confirmed_at = greatest(t.confirmed_at, to_timestamp(free.read_ms / 1000))
    FROM (SELECT c.dispatch_id, sent.read_ms
            FROM unnest($1::text[], $2::float8[], $3::integer[], $4::integer[])
                   AS sent(dispatch_id, read_ms, attempt, returned)
            JOIN adk_tool_calls c ON c.dispatch_id = sent.dispatch_id
             AND c.attempt = sent.attempt AND c.returned = sent.returned
             AND c.result IS NULL AND c.applied_seq IS NULL
             FOR NO KEY UPDATE OF c SKIP LOCKED) free
   WHERE t.dispatch_id = free.dispatch_id`,
};
