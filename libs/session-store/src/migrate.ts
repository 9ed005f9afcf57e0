import { type DataSource, type QueryRunner } from 'typeorm';
import { createDataSource } from './data-source';

export type MigrationDirection = 'up' | 'down';

/** Any number, the same in every version of this product. */
const LOCK_KEY = 7_305_221_846;

/**
 * Brings the schema up to date, or takes its last migration back; answers the names of what ran. Guarded by an advisory
 * lock: of two at once the second waits and finds nothing left to do.
 */
export async function migrate(databaseUrl: string, direction: MigrationDirection): Promise<string[]> {
  // Two connections: the lock is held on one while TypeORM migrates on another.
  const dataSource = createDataSource({ databaseUrl, applicationName: 'skein-migrate', poolSize: 2 });
  await dataSource.initialize();
  try {
    const guard = dataSource.createQueryRunner();
    try {
      return await underLock(guard, () => run(dataSource, direction));
    } finally {
      await guard.release();
    }
  } finally {
    await dataSource.destroy();
  }
}

async function run(dataSource: DataSource, direction: MigrationDirection): Promise<string[]> {
  if (direction === 'down') {
    await dataSource.undoLastMigration({ transaction: 'each' });
    return [];
  }
  const done = await dataSource.runMigrations({ transaction: 'each' });
  return done.map(({ name }) => name);
}

async function underLock<T>(guard: QueryRunner, work: () => Promise<T>): Promise<T> {
  // A long migration of another process is waited for, however long it takes.
  await guard.query('SET statement_timeout = 0');
  await guard.query('SELECT pg_advisory_lock($1)', [LOCK_KEY]);
  try {
    return await work();
  } finally {
    await guard.query('SELECT pg_advisory_unlock($1)', [LOCK_KEY]);
  }
}
