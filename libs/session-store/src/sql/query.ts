import { type Pool, type PoolClient, type QueryResultRow } from 'pg';
import { translateError } from '../translate-error';

export type Queryable = Pool | PoolClient;

/** One operation's statement: prepared once per connection under its name, which is that of its file. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Runs a named statement. An error comes out as an AdkError whose kind says whether trying again may help. */
export async function query<Row extends QueryResultRow>(
  database: Queryable,
  statement: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  try {
    const result = await database.query<Row>({ ...statement, values: [...values] });
    return result.rows;
  } catch (error) {
    throw translateError(error, statement.name);
  }
}

/** Runs several statements as one, on one connection. */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw translateError(error, 'a transaction');
  });
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // A connection whose rollback fails is in no known state and is not given to anyone else.
    await client.query('ROLLBACK').then(
      () => client.release(),
      (rollbackError: unknown) => client.release(rollbackError instanceof Error ? rollbackError : true),
    );
    throw translateError(error, 'a transaction');
  }
}
