import { withDatabase } from '../../chaos/support/database';

/** The rows of one table as JSON texts, which lose nothing of numbers and times. */
export type GoldenTables = Readonly<Record<string, readonly string[]>>;

/** The tables of ours. */
export function readTables(databaseUrl: string): Promise<string[]> {
  return withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND starts_with(relname, 'adk_') ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  });
}

/** What all tables of ours hold at one moment. */
export async function readRows(databaseUrl: string): Promise<GoldenTables> {
  const tables = await readTables(databaseUrl);
  return withDatabase(databaseUrl, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const entries: [string, string[]][] = [];
    for (const table of tables) {
      const { rows } = await client.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${table} t`);
      entries.push([table, rows.map(({ row }) => row)]);
    }
    return Object.fromEntries(entries);
  });
}

/** Puts rows into tables, in the place of what a migration put there, every moment later by as much as `sinceMs`: a lease that ran then runs now. */
export async function writeRows(databaseUrl: string, tables: GoldenTables, sinceMs: number): Promise<void> {
  await withDatabase(databaseUrl, async (client) => {
    await client.query('BEGIN');
    // References between rows are checked by nobody here: they were whole when they were read.
    await client.query(`SET LOCAL session_replication_role = replica`);
    for (const [table, rows] of Object.entries(tables)) {
      await client.query(`DELETE FROM ${table}`);
      const [first] = rows;
      if (first === undefined) continue;
      // By name: a column that is newer than the row has its default.
      const columns = Object.keys(JSON.parse(first) as object)
        .map((name) => `"${name}"`)
        .join(', ');
      await client.query(
        `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM unnest($1::jsonb[]) AS row,
                LATERAL jsonb_populate_record(NULL::${table}, row) AS r`,
        [rows],
      );
      const { rows: moments } = await client.query<{ name: string }>(
        `SELECT quote_ident(column_name) AS name FROM information_schema.columns
          WHERE table_name = $1 AND data_type = 'timestamp with time zone'`,
        [table],
      );
      const shifted = moments.map(({ name }) => `${name} = ${name} + $1::float8 * interval '1 millisecond'`);
      if (shifted.length > 0) await client.query(`UPDATE ${table} SET ${shifted.join(', ')}`, [sinceMs]);
    }
    await client.query('COMMIT');
  });
}
