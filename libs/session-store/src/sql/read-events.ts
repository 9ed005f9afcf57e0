import { type ReadEvents, type StoredEvent } from '@skein/contracts';
import { type Pool } from 'pg';
import { type EventRow, fromEventRow } from '../event-row';
import { EVENT_COLUMNS } from './event-columns';
import { query } from './query';

const PAGE_BYTES = 512 * 1024;
const PAGE_ROWS = 200;

/** Stored events above `afterSeq`, in order, at most 512 KiB of them but never none when there is one. */
export async function readEvents(pool: Pool, range: ReadEvents): Promise<StoredEvent[]> {
  const { appName, userId, sessionId, untilSeq = Number.MAX_SAFE_INTEGER } = range;
  const events: StoredEvent[] = [];
  let bytes = 0;
  for (let afterSeq = range.afterSeq; ;) {
    const rows = await query<StoredEventRow>(pool, statement, [
      appName,
      userId,
      sessionId,
      afterSeq,
      untilSeq,
      PAGE_ROWS,
      PAGE_BYTES,
    ]);
    for (const row of rows) {
      const stored = toStoredEvent(row);
      bytes += Buffer.byteLength(JSON.stringify(stored));
      if (bytes > PAGE_BYTES && events.length > 0) return events;
      events.push(stored);
      afterSeq = stored.seq;
    }
    if (rows.length < PAGE_ROWS) return events;
  }
}

export interface StoredEventRow extends EventRow {
  readonly seq: number;
  readonly step_key: string | null;
  readonly step_hash: string | null;
}

export function toStoredEvent(row: StoredEventRow): StoredEvent {
  return {
    seq: row.seq,
    stepKey: row.step_key ?? undefined,
    hash: row.step_hash ?? undefined,
    event: fromEventRow(row),
  };
}

/** The columns that may be large. */
const STORED_BYTES = [
  'content',
  'actions',
  'custom_metadata',
  'citation_metadata',
  'grounding_metadata',
  'extra',
]
  .map((column) => `coalesce(pg_column_size(e.${column}), 0)`)
  .join(' + ');

/** Cut by what is stored, compressed as it is, before anything of it is unpacked; to the byte it is cut above. */
const statement = {
  name: 'read-events',
  text: `
  SELECT *
    FROM (
      SELECT page.*, sum(page.bytes) OVER (ORDER BY page.seq) - page.bytes AS bytes_before
        FROM (
          SELECT ${EVENT_COLUMNS}, ${STORED_BYTES} AS bytes
            FROM adk_events e
           WHERE e.app_name = $1 AND e.user_id = $2 AND e.session_id = $3 AND e.seq > $4 AND e.seq <= $5
           ORDER BY e.seq
           LIMIT $6) AS page) AS measured
   WHERE bytes_before < $7
   ORDER BY seq`,
};
