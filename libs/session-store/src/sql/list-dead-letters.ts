import { type DeadLetterPage, type ListDeadLetters } from '@skein/contracts';
import { type Pool } from 'pg';
import { DEAD_LETTER_COLUMNS, type DeadLetterRow, toDeadLetter } from './dead-letter-columns';
import { query } from './query';

/**
 * A page of an app's dead letters, those that died last first. One that dies again while somebody turns pages moves to the
 * front; no other is shown twice or left out.
 */
export async function listDeadLetters(pool: Pool, request: ListDeadLetters): Promise<DeadLetterPage> {
  const { appName, status, before, limit } = request;
  // One more than asked for tells whether there are more.
  const values = [appName, before?.diedAtMicros ?? null, before?.dispatchId ?? null, limit + 1];
  const rows = await (status === undefined
    ? query<DeadLetterRow>(pool, allStatement, values)
    : query<DeadLetterRow>(pool, statusStatement, [...values, status]));
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    deadLetters: shown.map(toDeadLetter),
    next: last && { diedAtMicros: last.died_at_micros, dispatchId: last.dispatch_id },
  };
}

// Two statements, because one whose condition may be absent uses no index for it.
const allStatement = { name: 'list-dead-letters', text: pageOf('') };
const statusStatement = { name: 'list-dead-letters-of-status', text: pageOf('AND d.status = $5') };

function pageOf(condition: string): string {
  return `
  SELECT ${DEAD_LETTER_COLUMNS}
    FROM adk_dead_letters d
    JOIN adk_tool_calls t ON t.dispatch_id = d.dispatch_id
   WHERE d.app_name = $1 ${condition}
     AND ($2::bigint IS NULL
          OR (d.died_at, d.dispatch_id) < (to_timestamp(0) + $2::bigint * interval '1 microsecond', $3::text))
   ORDER BY d.died_at DESC, d.dispatch_id DESC
   LIMIT $4`;
}
