import { type Connection, type Pool, type Submittable } from 'pg';
import { retryRolledBack, type Statement } from './query';
import { translateError } from '../translate-error';

/** Parameters as the server reads them; the driver's own ways to write other values are not used here. */
export type TextValues = (string | null)[];

/**
 * Told what a statement answers while its commit is still on its way to the disk: what is made of it here is ready when that
 * is known to be stored. It may yet be refused, or asked again and answered otherwise, so none of it may leave before. Must not throw.
 */
export type OnRows<Row extends object> = (rows: readonly Row[]) => void;

/**
 * As `query` on a pool, for the statements of every turn: their answer is one column of JSON. It is read without asking the
 * server to describe it, which costs it and us as much as the rows themselves; numbers have to stay below 2^53.
 */
export async function queryJson<Row extends object>(
  pool: Pool,
  statement: Statement,
  values: TextValues,
  onRows?: OnRows<Row>,
): Promise<Row[]> {
  return retryRolledBack(async () => {
    const asked = new JsonQuery<Row>(statement, values, onRows);
    try {
      // A pool answers a promise, whatever it is asked with; its type knows of submittables of a single client.
      await (pool.query(asked) as unknown as Promise<void>);
    } catch (error) {
      throw translateError(error, statement.name);
    }
    return asked.rows;
  });
}

/** A named statement as the driver runs it: prepared once per connection, with all there is to send in one write. */
class JsonQuery<Row extends object> implements Submittable {
  rows: Row[] = [];
  readonly name: string;
  readonly text: string;
  /** Set by the driver where there is none, so it is gone with the answer: the same may be asked again. */
  callback: ((error: Error | null) => void) | undefined;

  constructor(
    { name, text }: Statement,
    readonly values: TextValues,
    private readonly onRows: OnRows<Row> | undefined,
  ) {
    this.name = name;
    this.text = text;
  }

  submit(connection: Connection): void {
    const { parsedStatements, stream } = connection as Prepared;
    this.rows = [];
    stream.cork();
    try {
      if (parsedStatements[this.name] === undefined)
        connection.parse({ name: this.name, text: this.text, types: [] }, true);
      connection.bind({ statement: this.name, values: this.values }, true);
      connection.execute({}, true);
      // A second write for the server and a second read for us, which pays only where somebody uses the time between.
      if (this.onRows) connection.flush();
      connection.sync();
    } finally {
      stream.uncork();
    }
  }

  handleDataRow({ fields: [json] }: { readonly fields: readonly string[] }): void {
    if (json !== undefined) this.rows.push(JSON.parse(json) as Row);
  }

  /** The rows are whole; the commit is what `handleReadyForQuery` tells of. */
  handleCommandComplete(): void {
    this.onRows?.(this.rows);
  }

  handleReadyForQuery(): void {
    this.#answer(null);
  }

  handleError(error: Error): void {
    this.#answer(error);
  }

  #answer(error: Error | null): void {
    const { callback } = this;
    this.callback = undefined;
    callback?.(error);
  }
}

/** What the driver knows of a connection beside its type: the statements the server has, by name. */
type Prepared = Connection & { readonly parsedStatements: Readonly<Record<string, string | undefined>> };
