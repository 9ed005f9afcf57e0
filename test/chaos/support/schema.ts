import { withDatabase } from './database';

/** A column, or a function with what it takes, as a process uses it. */
export interface SchemaPart {
  readonly name: string;
  readonly shape: string;
  /** A column that an INSERT need not name. */
  readonly isOptional: boolean;
}

/** What processes of a version rely on in its schema. */
export function readSchema(databaseUrl: string): Promise<SchemaPart[]> {
  return withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<SchemaPart>(`
      SELECT table_name || '.' || column_name AS name, udt_name AS shape,
             is_nullable = 'YES' OR column_default IS NOT NULL AS "isOptional"
        FROM information_schema.columns WHERE table_schema = 'public' AND starts_with(table_name, 'adk_')
       UNION ALL
      SELECT proname || '(' || pg_get_function_identity_arguments(oid) || ')', pg_get_function_result(oid), true
        FROM pg_proc WHERE pronamespace = 'public'::regnamespace
       ORDER BY 1`);
    return rows;
  });
}
