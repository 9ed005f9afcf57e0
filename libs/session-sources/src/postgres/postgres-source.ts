import { Client, type QueryResultRow } from 'pg';
import { EventIndex, type IndexEntry, piecesOf } from '../event-index';
import { checkSchema, METADATA_TABLE, SOURCE_TABLES, type SourceTables } from '../schema-check';
import {
  MAX_EVENT_BYTES,
  PAGE_BYTES,
  PAGE_ROWS,
  type SessionSource,
  type SourceCounts,
  type SourceEvent,
  type SourceSession,
  type SourceState,
} from '../session-source';
import { explainPostgresError } from './explain-error';
import { apps, statementsFor, type Statements } from './statements';

export interface PostgresSourceOptions {
  readonly url: string;
  readonly name: string;
  /** Only these apps' rows. */
  readonly apps: readonly string[] | undefined;
}

/** Opens it for reading alone, all of it as of one moment: what is written there meanwhile is not seen. */
export async function openPostgresSource(options: PostgresSourceOptions): Promise<SessionSource> {
  const client = new Client({
    connectionString: options.url,
    application_name: 'skein-import',
    connectionTimeoutMillis: 10_000,
    lock_timeout: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  client.on('error', () => undefined); // The statement that fails because of it carries the same error.
  const reader = new Reader(client, options.name);
  try {
    await client.connect();
    await reader.rows('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    // The source's own bounds are for its users: what is read here may take its time, and waits while it is stored.
    await reader.rows('SET LOCAL statement_timeout = 0');
    await reader.rows('SET LOCAL idle_in_transaction_session_timeout = 0');
    const tables = await readTables(reader);
    checkSchema(tables, await readVersion(reader, tables));
    return new PostgresSource(reader, options, statementsFor(tables));
  } catch (error) {
    await client.end().catch(() => undefined);
    throw explainPostgresError(error, options.name);
  }
}

/** One connection, whose errors say what they mean for who imports. */
class Reader {
  constructor(
    private readonly client: Client,
    private readonly name: string,
  ) {}

  async rows<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    try {
      return (await this.client.query<Row>(text, [...values])).rows;
    } catch (error) {
      throw explainPostgresError(error, this.name);
    }
  }

  /** A statement's rows, a page of them in memory. */
  async *stream<Row extends QueryResultRow>(
    cursor: string,
    text: string,
    values: readonly unknown[],
  ): AsyncGenerator<Row, void> {
    await this.rows(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${text}`, values);
    for (;;) {
      const page = await this.rows<Row>(`FETCH ${CURSOR_ROWS} FROM ${cursor}`);
      yield* page;
      if (page.length < CURSOR_ROWS) break;
    }
    await this.rows(`CLOSE ${cursor}`);
  }

  async close(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }
}

const CURSOR_ROWS = 500;

async function readTables(reader: Reader): Promise<SourceTables> {
  const rows = await reader.rows<{ table_name: string; column_name: string; type: string }>(
    `SELECT t.name AS table_name, a.attname AS column_name, format_type(a.atttypid, NULL) AS type
       FROM unnest($1::text[]) AS t(name)
       JOIN pg_attribute a ON a.attrelid = to_regclass(quote_ident(t.name)) AND a.attnum > 0 AND NOT a.attisdropped`,
    [SOURCE_TABLES],
  );
  const tables = new Map<string, Map<string, string>>();
  for (const { table_name: table, column_name: column, type } of rows) {
    tables.set(table, (tables.get(table) ?? new Map<string, string>()).set(column, type));
  }
  return tables;
}

async function readVersion(reader: Reader, tables: SourceTables): Promise<string | undefined> {
  if (!tables.has(METADATA_TABLE)) return undefined;
  const [row] = await reader.rows<{ value: string }>(
    `SELECT value FROM ${METADATA_TABLE} WHERE key = 'schema_version'`,
  );
  return row?.value;
}

class PostgresSource implements SessionSource {
  readonly name: string;
  readonly #apps: readonly string[] | null;

  constructor(
    private readonly reader: Reader,
    { name, apps }: PostgresSourceOptions,
    private readonly statements: Statements,
  ) {
    this.name = name;
    this.#apps = apps ?? null;
  }

  readonly appNames = async (): Promise<string[]> =>
    (await this.reader.rows<{ appName: string }>(apps)).map(({ appName }) => appName);

  readonly count = async (): Promise<SourceCounts> => {
    const [row] = await this.reader.rows<Record<keyof SourceCounts, string>>(this.statements.counts, [
      this.#apps,
    ]);
    return {
      sessions: Number(row?.sessions),
      events: Number(row?.events),
      orphanEvents: Number(row?.orphanEvents),
      appStates: Number(row?.appStates),
      userStates: Number(row?.userStates),
    };
  };

  async *sessions(): AsyncGenerator<SourceSession, void> {
    const index = new EventIndex(
      this.reader.stream<IndexEntry>('skein_events', this.statements.index, [this.#apps]),
    );
    const rows = this.reader.stream<SessionRow>('skein_sessions', this.statements.sessions, [this.#apps]);
    for await (const row of rows) {
      const entries = await index.take(row);
      const names = [row.appName, row.userId, row.sessionId];
      yield {
        ...row,
        createdSeconds: row.createdSeconds ?? NaN,
        updatedSeconds: row.updatedSeconds ?? NaN,
        eventCount: entries.length,
        readState: async () =>
          (await this.reader.rows<{ state: string | null }>(this.statements.state, names))[0]?.state ??
          undefined,
        readEvents: () => this.#events(names, entries),
      };
    }
  }

  async *states(): AsyncGenerator<SourceState, void> {
    const rows = this.reader.stream<StateRow>('skein_states', this.statements.states, [this.#apps]);
    for await (const row of rows) {
      yield {
        ...row,
        userId: row.userId ?? undefined,
        updatedSeconds: row.updatedSeconds ?? NaN,
        state: row.state ?? undefined,
      };
    }
  }

  /** What is read is of one moment. */
  readonly assertUnchanged = async (): Promise<void> => Promise.resolve();

  readonly close = async (): Promise<void> => this.reader.close();

  async *#events(
    names: readonly string[],
    entries: readonly IndexEntry[],
  ): AsyncGenerator<SourceEvent[], void> {
    for (const piece of piecesOf(entries, { bytes: PAGE_BYTES, rows: PAGE_ROWS })) {
      const places = piece.map(({ place }) => place);
      const rows = await this.reader.rows<EventRow>(this.statements.events, [
        ...names,
        places,
        MAX_EVENT_BYTES,
      ]);
      const byId = new Map(rows.map((row) => [row.id, row]));
      yield piece.flatMap(({ place, bytes }) => {
        const row = byId.get(String(place));
        return row ? [{ ...row, data: row.data ?? undefined, seconds: row.seconds ?? NaN, bytes }] : [];
      });
    }
  }
}

interface SessionRow {
  readonly appName: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly createdSeconds: number | null;
  readonly updatedSeconds: number | null;
}

interface StateRow {
  readonly appName: string;
  readonly userId: string | null;
  readonly updatedSeconds: number | null;
  readonly state: string | null;
}

interface EventRow {
  readonly id: string;
  readonly invocationId: string;
  readonly seconds: number | null;
  readonly data: string | null;
}
