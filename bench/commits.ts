import { Client } from 'pg';

/** Makes databases beside Skein's on its server, and counts what is committed in each. */
export class Databases {
  readonly #client: Client;

  constructor(private readonly adminUrl: string) {
    this.#client = new Client({ connectionString: adminUrl });
  }

  connect(): Promise<unknown> {
    return this.#client.connect();
  }

  /** @returns its URL. */
  async create(name: string): Promise<string> {
    await this.#client.query(`create database ${this.#client.escapeIdentifier(name)}`);
    const url = new URL(this.adminUrl);
    url.pathname = `/${name}`;
    return url.href;
  }

  get ours(): string {
    return new URL(this.adminUrl).pathname.slice(1);
  }

  /** As far as Postgres counts: a connection reports once a second at most, and when it ends. */
  async commits(database: string): Promise<number> {
    const { rows } = await this.#client.query<{ commits: string }>(
      'select xact_commit as commits from pg_stat_database where datname = $1',
      [database],
    );
    return Number(rows[0]?.commits);
  }

  /** All of it: with every connection ended, each has reported. */
  async commitsInAll(database: string): Promise<number> {
    const others = `from pg_stat_activity where datname = $1 and pid <> pg_backend_pid() and backend_type = 'client backend'`;
    await this.#client.query(`select pg_terminate_backend(pid, 5000) ${others}`, [database]);
    return this.commits(database);
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}
