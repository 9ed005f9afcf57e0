import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  DENSE,
  fixture,
  type ImportCommand,
  type Imported,
  makePostgresSource,
  makeSqliteSource,
  runImportCommand,
} from './import-harness';
import { Late } from './late';
import { startTestDatabase, type TestDatabase } from './session-store-harness';

type Row = Record<string, unknown>;

/** Where the imports of a spec go, empty before each test, and a folder for what they come from. */
export class ImportGround {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'skein-import-'));
  readonly #database = new Late<TestDatabase>();
  #sources = 0;

  /** Registers what starts and ends it with the spec. */
  static ofSpec(): ImportGround {
    const ground = new ImportGround();
    beforeAll(async () => ground.#database.set(await startTestDatabase()), 60_000);
    beforeEach(() =>
      ground.rows(
        'TRUNCATE adk_sessions, adk_events, adk_invocations, adk_inputs, adk_tool_calls, adk_app_states, adk_user_states CASCADE',
      ),
    );
    afterAll(async () => {
      rmSync(ground.folder, { recursive: true, force: true });
      await ground.#database.get().stop();
    });
    return ground;
  }

  get pool(): TestDatabase['pool'] {
    return this.#database.get().pool;
  }

  get url(): string {
    return this.#database.get().url;
  }

  async rows(sql: string): Promise<Row[]> {
    return (await this.pool.query<Row>(sql)).rows;
  }

  /** Of sessions and events, and of sessions whose events are not numbered 1 to their count. */
  async counts(): Promise<Row | undefined> {
    return (await this.rows(DENSE))[0];
  }

  import(args: readonly string[], more: ImportCommand = {}): Promise<Imported> {
    return runImportCommand(args, { databaseUrl: this.url, ...more });
  }

  /** A SQLite file of its own, made of SQL. */
  file(...statements: readonly string[]): string {
    return makeSqliteSource(path.join(this.folder, `source-${++this.#sources}.db`), ...statements);
  }

  /** A source that a fixture fills, of the kind its name says. */
  async source(name: string): Promise<string> {
    if (name.endsWith('sqlite')) return this.file(fixture(name));
    return makePostgresSource(this.pool, this.url, `source_${++this.#sources}`, fixture(name));
  }
}
