import { migrate } from '@skein/session-store';
import { startTestDatabase, type TestDatabase } from './session-store-harness';

let database: TestDatabase;

beforeAll(async () => {
  database = await startTestDatabase({ migrated: false });
});
afterAll(() => database.stop());

describe('migrations', () => {
  it('go up, down without a trace, and up again', async () => {
    const empty = await objects();

    expect(await migrate(database.url, 'up')).toEqual(['Initial1763640000000']);
    const full = await objects();
    expect(full).toContain('adk_sessions');
    await migrate(database.url, 'down');
    expect(await objects()).toEqual([...empty, 'skein_migrations', 'skein_migrations_id_seq']);
    await migrate(database.url, 'up');

    expect(await objects()).toEqual(full);
  });

  it('are harmless when two processes run them at once, and when there is nothing to do', async () => {
    await migrate(database.url, 'down');

    const ran = await Promise.all([
      migrate(database.url, 'up'),
      migrate(database.url, 'up'),
      migrate(database.url, 'up'),
    ]);

    expect(ran.map((names) => names.length).sort()).toEqual([0, 0, 1]);
  });

  it('let a query for one active state use the index of both', async () => {
    await migrate(database.url, 'up');
    const client = await database.pool.connect();
    await client.query('SET enable_seqscan = off');

    const { rows } = await client.query<Record<string, string>>(
      `EXPLAIN SELECT 1 FROM adk_invocations i WHERE i.status = 'running' AND i.lease_until < clock_timestamp()`,
    );
    client.release(true);

    expect(JSON.stringify(rows)).toContain('adk_invocations_active');
  });

  it.each([
    {
      constraint: 'adk_invocations_status',
      statuses: ['queued', 'running', 'waiting', 'completed', 'failed', 'cancelled', 'dead'],
      insert: `INSERT INTO adk_invocations (id, app_name, user_id, session_id, queue_no, status)
               VALUES ($1, 'a', 'u', 's', $2, $1)`,
    },
    {
      constraint: 'adk_tool_calls_status',
      statuses: ['queued', 'dispatched', 'running', 'done', 'dead'],
      insert: `INSERT INTO adk_tool_calls (dispatch_id, invocation_id, step_key, call_index, call_id, agent_name, tool, pool,
                                           args, policy, status, sent_at, deadline)
               VALUES ($1, 'i', 's', $2, 'c', 'a', 't', 'p', '{}', '{}', $1, now(), now())`,
    },
  ])('refuse a status that there is not, and none that there is: $constraint', async (table) => {
    await migrate(database.url, 'up');
    const withStatus = (status: string): Promise<unknown> =>
      database.pool.query(table.insert, [status, table.statuses.indexOf(status)]);

    for (const status of table.statuses) await withStatus(status);

    await expect(withStatus('doing')).rejects.toThrow(table.constraint);
    await expect(withStatus('')).rejects.toThrow(table.constraint);
  });

  it('make what the entities describe', async () => {
    await migrate(database.url, 'up');

    const difference = await database.dataSource.driver.createSchemaBuilder().log();

    expect(difference.upQueries.map(({ query }) => query)).toEqual([]);
  });
});

/** Tables, sequences and functions of ours. */
async function objects(): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'S')
     UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
     ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}
