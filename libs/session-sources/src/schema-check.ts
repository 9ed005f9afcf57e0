import { SourceError } from './session-source';

/** Columns by table, with their types in the database's own words. */
export type SourceTables = ReadonlyMap<string, ReadonlyMap<string, string>>;

const NEEDED: Readonly<Record<string, readonly string[]>> = {
  sessions: ['app_name', 'user_id', 'id', 'state', 'create_time', 'update_time'],
  events: ['app_name', 'user_id', 'session_id', 'id', 'invocation_id', 'timestamp', 'event_data'],
  app_states: ['app_name', 'state', 'update_time'],
  user_states: ['app_name', 'user_id', 'state', 'update_time'],
};

export const METADATA_TABLE = 'adk_internal_metadata';
export const SOURCE_TABLES = [...Object.keys(NEEDED), METADATA_TABLE];

const KNOWN_VERSION = '1';
const MIGRATE =
  'Migrate that of adk-python first with ADK itself, into a database of its own: ' +
  '`adk migrate session --source_db_url=… --dest_db_url=…` (adk-python 1.22.1 or later; ' +
  'of a file that `adk web` wrote: `python -m google.adk.sessions.migration.migrate_from_sqlalchemy_sqlite`), ' +
  'then import that one.';

/** Throws unless the tables are those of schema version 1. A database without a version is judged by its tables. */
export function checkSchema(tables: SourceTables, version: string | undefined): void {
  const events = tables.get('events');
  // Before the version: what `adk web` writes has none, and neither has what was written before there were versions.
  if (version === '0' || (events?.has('actions') === true && !events.has('event_data'))) {
    throw new SourceError(
      `This is adk-python's old schema 0, whose actions are pickled Python, or adk-go's database, which is not read. ${MIGRATE}`,
    );
  }
  if (version !== undefined && version !== KNOWN_VERSION) {
    throw new SourceError(
      `Its schema is of version ${version}; ${KNOWN_VERSION} is read. Use a newer Skein, if there is one.`,
    );
  }
  const missing = Object.entries(NEEDED).flatMap(([table, columns]) => {
    const found = tables.get(table);
    if (!found || found.size === 0) return [`no table ${table}`];
    return columns.filter((column) => !found.has(column)).map((column) => `no column ${table}.${column}`);
  });
  if (missing.length > 0) {
    throw new SourceError(`This is no session database of adk-python or adk-js: ${missing.join(', ')}.`);
  }
}
