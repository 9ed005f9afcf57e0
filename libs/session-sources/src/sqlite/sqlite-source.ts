import { EventIndex, type IndexEntry, piecesOf, type SessionName } from '../event-index';
import { checkSchema, METADATA_TABLE, SOURCE_TABLES, type SourceTables } from '../schema-check';
import {
  MAX_EVENT_BYTES,
  PAGE_BYTES,
  PAGE_ROWS,
  type SessionSource,
  type SourceCounts,
  SourceError,
  type SourceEvent,
  type SourceSession,
  type SourceState,
} from '../session-source';
import { loadSqlite, type SqliteDatabase, type SqliteRow as Row, type SqliteValues } from './sqlite-driver';
import { SqliteFile } from './sqlite-file';
import { optionalText, orderOf, textOf } from './sqlite-text';
import { secondsOfValue } from './sqlite-time';
import * as statements from './statements';

/** Reads a SQLite file a page at a time, whatever its size. */
export async function openSqliteSource(
  file: string,
  apps: readonly string[] | undefined,
): Promise<SessionSource> {
  const opened = new SqliteFile(file);
  try {
    const sqlite = await loadSqlite();
    const database = new sqlite.Database(opened.openAs, { readOnly: true });
    const source = new SqliteSource(opened, database, apps ? JSON.stringify(apps) : null);
    try {
      const tables = source.readTables();
      checkSchema(tables, source.readVersion(tables));
    } catch (error) {
      database.close();
      throw error;
    }
    return source;
  } catch (error) {
    opened.close();
    throw explain(error, file);
  }
}

function explain(error: unknown, file: string): SourceError {
  if (error instanceof SourceError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new SourceError(`${file} cannot be read: ${message}.`, { cause: error });
}

class SqliteSource implements SessionSource {
  readonly name: string;

  constructor(
    private readonly file: SqliteFile,
    private readonly database: SqliteDatabase,
    /** JSON. */
    private readonly apps: string | null,
  ) {
    this.name = `sqlite:${file.file}`;
  }

  readTables(): SourceTables {
    return new Map(
      SOURCE_TABLES.map((table) => {
        const columns = this.#rows(statements.columns, [table]);
        return [table, new Map(columns.map((row) => [textOf(row.name), textOf(row.type)]))];
      }),
    );
  }

  readVersion(tables: SourceTables): string | undefined {
    if ((tables.get(METADATA_TABLE)?.size ?? 0) === 0) return undefined;
    const [row] = this.#rows(statements.version, []);
    return row && textOf(row.value);
  }

  readonly appNames = (): Promise<string[]> =>
    Promise.resolve(this.#rows(statements.apps, []).map((row) => textOf(row.appName)));

  readonly count = (): Promise<SourceCounts> => {
    const [row = {}] = this.#rows(statements.counts, { ':apps': this.apps });
    const of = (name: keyof SourceCounts): number => Number(row[name]);
    return Promise.resolve({
      sessions: of('sessions'),
      events: of('events'),
      orphanEvents: of('orphanEvents'),
      appStates: of('appStates'),
      userStates: of('userStates'),
    });
  };

  async *sessions(): AsyncGenerator<SourceSession, void> {
    const index = new EventIndex(this.#index());
    for (const row of this.#stream(statements.sessions)) {
      const session = {
        appName: textOf(row.appName),
        userId: textOf(row.userId),
        sessionId: textOf(row.sessionId),
      };
      const entries = await index.take(orderedBy(row));
      const place = Number(row.place);
      yield {
        ...session,
        createdSeconds: secondsOfValue(row.created),
        updatedSeconds: secondsOfValue(row.updated),
        eventCount: entries.length,
        readState: () => Promise.resolve(optionalText(this.#rows(statements.state, [place])[0]?.state)),
        readEvents: () => this.#events(entries),
      };
    }
  }

  async *states(): AsyncGenerator<SourceState, void> {
    for (const row of this.#stream(statements.states)) {
      yield {
        appName: textOf(row.appName),
        userId: optionalText(row.userId),
        updatedSeconds: secondsOfValue(row.updated),
        state: optionalText(row.state),
      };
    }
  }

  readonly assertUnchanged = async (): Promise<void> => {
    this.file.assertUnchanged();
    return Promise.resolve();
  };

  readonly close = (): Promise<void> => {
    this.database.close();
    this.file.close();
    return Promise.resolve();
  };

  async *#index(): AsyncGenerator<IndexEntry, void> {
    for (const row of this.#stream(statements.index)) {
      yield { ...orderedBy(row), place: Number(row.place), bytes: Number(row.bytes) };
    }
  }

  async *#events(entries: readonly IndexEntry[]): AsyncGenerator<SourceEvent[], void> {
    for (const piece of piecesOf(entries, { bytes: PAGE_BYTES, rows: PAGE_ROWS })) {
      yield piece.flatMap(({ place, bytes }) =>
        this.#rows(statements.event, [place, MAX_EVENT_BYTES]).map((row) => ({
          id: textOf(row.id),
          invocationId: textOf(row.invocationId),
          seconds: secondsOfValue(row.timestamp),
          data: optionalText(row.data),
          bytes,
        })),
      );
    }
  }

  #rows(text: string, values: SqliteValues): Row[] {
    try {
      return this.database.all(text, values);
    } catch (error) {
      throw explain(error, this.file.file);
    }
  }

  *#stream(text: string): Generator<Row, void> {
    const statement = this.database.prepare(text);
    try {
      yield* statement.iterate({ ':apps': this.apps });
    } catch (error) {
      throw explain(error, this.file.file);
    } finally {
      statement.finalize();
    }
  }
}

function orderedBy(row: Row): SessionName {
  return { appName: orderOf(row.appName), userId: orderOf(row.userId), sessionId: orderOf(row.sessionId) };
}
