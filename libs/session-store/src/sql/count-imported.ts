import { type Pool } from 'pg';
import { query } from './query';

export interface ImportedCounts {
  readonly sessions: number;
  /** Rows that are there, whatever was noted. */
  readonly events: number;
  /** What the imports have noted that they stored. */
  readonly notedEvents: number;
}

/**
 * Counts what is stored of the sessions of a source, by the names it may have been noted with, or of some of its apps'.
 * A page of sessions is a statement, so none takes long.
 */
export async function countImported(
  pool: Pool,
  {
    sources,
    apps,
    pageSize = 100,
  }: { readonly sources: readonly string[]; readonly apps?: readonly string[]; readonly pageSize?: number },
): Promise<ImportedCounts> {
  let counts = { sessions: 0, events: 0, notedEvents: 0 };
  for (let after = ['', '', '']; ;) {
    const page = await query<CountRow>(pool, statement, [sources, apps ?? null, pageSize, ...after]);
    for (const row of page) {
      counts = {
        sessions: counts.sessions + 1,
        events: counts.events + row.stored,
        notedEvents: counts.notedEvents + row.events,
      };
    }
    const last = page.at(-1);
    if (!last) return counts;
    after = [last.app_name, last.user_id, last.session_id];
  }
}

interface CountRow {
  readonly app_name: string;
  readonly user_id: string;
  readonly session_id: string;
  readonly events: number;
  readonly stored: number;
}

const statement = {
  name: 'count-imported',
  text: `
  SELECT i.app_name, i.user_id, i.session_id, i.events, n.stored
    FROM (SELECT * FROM adk_imports i
           WHERE i.source = ANY ($1::text[]) AND ($2::text[] IS NULL OR i.app_name = ANY ($2))
             AND (i.app_name, i.user_id, i.session_id) > ($4, $5, $6)
           ORDER BY i.app_name, i.user_id, i.session_id
           LIMIT $3) i,
         LATERAL (SELECT count(*) AS stored FROM adk_events e
                   WHERE e.app_name = i.app_name AND e.user_id = i.user_id AND e.session_id = i.session_id
                     AND e.seq <= i.events) n
   ORDER BY i.app_name, i.user_id, i.session_id`,
};
