import { AdkError } from '@skein/contracts';
import { type Pool, TypeOverrides } from 'pg';
import { DataSource } from 'typeorm';
import { ArtifactEntity } from './entities/artifact.entity';
import { DeadLetterEntity } from './entities/dead-letter.entity';
import { EventEntity } from './entities/event.entity';
import { InputEntity } from './entities/input.entity';
import { InvocationEntity } from './entities/invocation.entity';
import { JournalEntity } from './entities/journal.entity';
import { MemoryEntryEntity } from './entities/memory-entry.entity';
import { SessionEntity } from './entities/session.entity';
import { AppStateEntity, UserStateEntity } from './entities/state.entities';
import { ToolCallEntity } from './entities/tool-call.entity';
import { ToolLaneEntity, ToolPoolEntity } from './entities/tool-lane.entities';
import { Initial1763640000000 } from './migrations/initial.migration';

export interface StoreOptions {
  readonly databaseUrl: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName?: string;
  readonly poolSize?: number;
}

/** Postgres as this product uses it: schema, migrations and cold queries by TypeORM, everything hot on its pool. */
export function createDataSource({
  databaseUrl,
  applicationName = 'skein',
  poolSize = 10,
}: StoreOptions): DataSource {
  return new DataSource({
    type: 'postgres',
    url: databaseUrl,
    applicationName,
    poolSize,
    synchronize: false,
    // gen_random_uuid() is part of PostgreSQL since 13; installing an extension would need rights we do not want.
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    entities: [
      SessionEntity,
      EventEntity,
      AppStateEntity,
      UserStateEntity,
      InvocationEntity,
      InputEntity,
      JournalEntity,
      ToolCallEntity,
      ToolPoolEntity,
      ToolLaneEntity,
      DeadLetterEntity,
      ArtifactEntity,
      MemoryEntryEntity,
    ],
    migrations: [Initial1763640000000],
    migrationsTableName: 'skein_migrations',
    extra: {
      types: safeTypes(),
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      // A new connection costs the turn that opens it 15 ms: connecting, and its plans. By default it is gone after 10 s.
      idleTimeoutMillis: 300_000,
      // A caller of ours waits longer than this, so it hears "unavailable" instead of nothing.
      connectionTimeoutMillis: 2_000,
      statement_timeout: 10_000,
      // Longer than the server's own bound: only a connection that is dead without a word gets here.
      query_timeout: 12_000,
      idle_in_transaction_session_timeout: 10_000,
    },
  });
}

/** An open database; `pool` is for the operations of this lib. */
export interface Store {
  readonly pool: Pool;
  /** Whether the database answers. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

/** Connects once, so that a database that is away, or not migrated, is told of at start and not by the first request. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const dataSource = await createDataSource(options).initialize();
  if (await dataSource.showMigrations()) {
    await dataSource.destroy();
    throw new AdkError(
      'unavailable',
      'store.not-migrated',
      'its schema is not up to date: run `npx skein migrate`',
    );
  }
  const pool = poolOf(dataSource);
  // A connection that breaks while idle is replaced by the next query; unheard, its error would end the process.
  pool.on('error', () => undefined);
  return {
    pool,
    ping: async () => (await pool.query('SELECT 1')).rowCount === 1,
    close: () => dataSource.destroy(),
  };
}

/** The pool below a data source: named statements go here, twice as fast as through `dataSource.query`. */
export function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { readonly master: Pool }).master;
}

const INT8_OID = 20;

/** bigint columns count things that stay below 2^53; a value that does not is refused rather than rounded. */
function safeTypes(): TypeOverrides {
  const types = new TypeOverrides();
  types.setTypeParser(INT8_OID, (text) => {
    const value = Number(text);
    if (!Number.isSafeInteger(value)) throw new RangeError(`bigint out of range: ${text}`);
    return value;
  });
  return types;
}
