import { AdkError } from '@skein/contracts';
import { type Pool, type PoolClient, type QueryResultRow } from 'pg';
import { isRolledBack, translateError } from '../translate-error';

const MAX_TRIES = 3;
const RETRY_MS = 20;

export type Queryable = Pool | PoolClient;

/** One operation's statement: prepared once per connection under its name, which is that of its file. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/**
 * Runs a named statement. An error comes out as an AdkError whose kind says whether trying again may help. On a pool it is
 * a transaction of its own, and is tried again when the server rolled it back.
 */
export async function query<Row extends QueryResultRow>(
  database: Queryable,
  statement: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const run = async (): Promise<Row[]> => {
    try {
      const result = await database.query<Row>({
        name: statement.name,
        text: statement.text,
        values: [...values],
      });
      return result.rows;
    } catch (error) {
      throw translateError(error, statement.name);
    }
  };
  return isPartOfTransaction(database) ? run() : retryRolledBack(run);
}

/** Runs several statements as one, on one connection; again from the first when the server rolled them back. */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  return retryRolledBack(() => runInTransaction(pool, work));
}

function isPartOfTransaction(database: Queryable): database is PoolClient {
  return 'release' in database;
}

/** A deadlock is broken by ending one of its transactions; with jitter, so that they do not meet again. */
export async function retryRolledBack<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_TRIES || !isRolledBack(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS * attempt * (0.5 + Math.random())));
    }
  }
}

async function runInTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw translateError(error, 'a transaction');
  });
  // The pool listens to those that are idle; of one in use the statement under way tells, and an event nobody hears is thrown.
  client.on('error', ignore);
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // Silent, it would be silent to the rollback as well.
    if (isSilence(error)) {
      client.release(true);
      throw translateError(error, 'a transaction');
    }
    // A connection whose rollback fails is in no known state and is not given to anyone else.
    await client.query('ROLLBACK').then(
      () => client.release(),
      (rollbackError: unknown) => client.release(rollbackError instanceof Error ? rollbackError : true),
    );
    throw translateError(error, 'a transaction');
  } finally {
    client.off('error', ignore);
  }
}

function ignore(): void {
  return undefined;
}

/** The driver's word for an answer that did not come in time; a named statement carries it as its cause. */
function isSilence(error: unknown): boolean {
  const cause = AdkError.isInstance(error) ? error.cause : error;
  return cause instanceof Error && cause.message === 'Query read timeout';
}
