import { AdkError, type InvocationPage, type ListInvocations } from '@skein/contracts';
import { type Pool } from 'pg';
import { DETAILS_COLUMNS, type DetailsRow, toDetails } from './inspect-invocation';
import { query } from './query';

/**
 * A page of a session's invocations, the newest first; rejects when there is no such session. Their ids are in the order
 * of their making and never change, so a page neither repeats nor leaves out what was there when the first was read.
 */
export async function listInvocations(pool: Pool, request: ListInvocations): Promise<InvocationPage> {
  const { appName, userId, sessionId, before = null, limit } = request;
  // One more than asked for tells whether there are more.
  const values = [appName, userId, sessionId, before, limit + 1];
  const rows = await query<ListRow>(pool, statement, values);
  if (rows.length === 0)
    throw new AdkError('not_found', 'session.not-found', `Session not found: ${sessionId}`);
  const found = rows.filter((row): row is DetailsRow => row.id !== null);
  const invocations = found.slice(0, limit).map(toDetails);
  return { invocations, next: found.length > limit ? invocations.at(-1)?.invocationId : undefined };
}

/** Of a session without invocations there is one row, and nothing in it. */
type ListRow = DetailsRow | { readonly id: null };

const statement = {
  name: 'list-invocations',
  text: `
  SELECT i.*
    FROM adk_sessions s
    LEFT JOIN LATERAL (
           SELECT ${DETAILS_COLUMNS}
             FROM adk_invocations i
            WHERE i.app_name = s.app_name AND i.user_id = s.user_id AND i.session_id = s.id
              AND ($4::text IS NULL OR i.id < $4)
            ORDER BY i.id DESC
            LIMIT $5) i ON true
   WHERE s.app_name = $1 AND s.user_id = $2 AND s.id = $3
   ORDER BY i.id DESC`,
};
