import { Client } from '../support/client';
import { waitUntil } from '../support/wait-until';
import { readStored, withDatabase } from './support/database';
import { Fleet } from './support/fleet';
import { checkInvariants } from './support/invariants';
import { Load } from './support/load';
import { Proxies } from './support/proxies';
import { row } from './support/row';
import { aSessionId, effectsOf, ordinalsOf, sameForm, say, untilWhole, withoutFault } from './support/scenes';

// Scaled down from 15 s and 2 s. The lease stays longer than the times Postgres is away, where it says so.
const SCALED = { LEASE_MS: '3000', SWEEP_MS: '300' };
const SERVICES = ['session-svc-1', 'session-svc-2'];

describe('Postgres', () => {
  const proxies = new Proxies(SERVICES);
  let fleet: Fleet;

  beforeAll(async () => {
    fleet = await Fleet.start({ ...proxies.options(), env: SCALED, sessionServices: 2 });
  }, 120_000);

  afterEach(async () => {
    proxies.heal();
    if (fleet) await untilWhole(fleet);
  });

  afterAll(async () => {
    await fleet?.stop();
    await proxies.close();
  }, 60_000);

  function sql(...statements: readonly string[]): Promise<void> {
    return withDatabase(fleet.databaseUrl, async (client) => {
      for (const statement of statements) await client.query(statement);
    });
  }

  async function untilTurns(load: Load, count: number): Promise<void> {
    await waitUntil(`${count} turns`, () => load.turns.length >= count || undefined);
  }

  describe.each([
    ['fast', 'SIGINT'],
    ['immediate', 'SIGQUIT'],
  ] as const)('%s', (_mode, signal) => {
    row('row 22: Postgres restarts under load', async (random) => {
      const load = new Load(fleet, { random, sessions: 10, turns: 5 });
      await untilTurns(load, 5);

      await fleet.postgres.restart(signal);
      await load.done;

      await checkInvariants(fleet, { turns: load.turns });
    });
  });

  row('row 23: a failover: read-only for a while, and every connection lost', async (random) => {
    const load = new Load(fleet, { random, sessions: 8, turns: 4 });
    await untilTurns(load, 4);
    const othersOut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'skein%'`;

    await sql(`ALTER SYSTEM SET default_transaction_read_only = on`, 'SELECT pg_reload_conf()', othersOut);
    const refused = await firstAnswer(fleet, aSessionId('row23'));
    await sql(
      'SET default_transaction_read_only = off',
      `ALTER SYSTEM RESET default_transaction_read_only`,
      'SELECT pg_reload_conf()',
      othersOut,
    );
    await load.done;

    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.tookMs).toBeLessThan(15_000);
    await checkInvariants(fleet, { turns: load.turns });
  });

  row('row 24: connections are cut when the answer to a commit is on its way', async () => {
    const expected = await withoutFault(fleet, 'count 2');
    const sessionId = aSessionId('row24');
    let cuts = 0;
    for (const name of SERVICES) {
      // The answer of an append is never heard; what it stored is there all the same.
      proxies.postgres(name).tap((chunk, from) => {
        const isCut = from === 'server' && cuts < 3 && chunk.includes('session_uid');
        if (isCut) cuts += 1;
        return isCut ? 'cut' : 'pass';
      });
    }

    await say(fleet, sessionId, 'count 2');

    expect(cuts).toBe(3);
    expect(await sameForm(fleet, sessionId)).toEqual(expected);
    expect(effectsOf(fleet, sessionId)).toHaveLength(4);
    expect(ordinalsOf(fleet, sessionId)).toEqual([0, 1, 2]);
    await checkInvariants(fleet);
  });

  describe.each([
    ['deadlocks', '40P01'],
    ['serialization failures', '40001'],
  ])('%s', (_what, code) => {
    row('row 25: an append is tried again after it', async () => {
      const expected = await withoutFault(fleet, 'count 2');
      const sessionId = aSessionId('row25');
      // A sequence counts whatever is rolled back: the first three inserts of events fail, at their end.
      await sql(
        'CREATE SEQUENCE chaos_faults',
        `CREATE FUNCTION chaos_fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           IF NEW.session_id = '${sessionId}' AND nextval('chaos_faults') <= 3 THEN
             RAISE EXCEPTION 'injected' USING ERRCODE = '${code}';
           END IF;
           RETURN NEW;
         END $$`,
        'CREATE TRIGGER chaos_fail BEFORE INSERT ON adk_events FOR EACH ROW EXECUTE FUNCTION chaos_fail()',
      );

      await say(fleet, sessionId, 'count 2').finally(() =>
        sql(
          'DROP TRIGGER chaos_fail ON adk_events',
          'DROP FUNCTION chaos_fail',
          'DROP SEQUENCE chaos_faults',
        ),
      );

      expect(await sameForm(fleet, sessionId)).toEqual(expected);
      expect(effectsOf(fleet, sessionId)).toHaveLength(4);
      await checkInvariants(fleet);
    });
  });

  row('row 25: under load of one user, no deadlock happens: locks are taken in one order', async (random) => {
    const load = new Load(fleet, { random, sessions: 16, turns: 3, messages: ['count', 'both 10', 'hello'] });
    await load.done;

    const deadlocks = await withDatabase(fleet.databaseUrl, async (client) => {
      const { rows } = await client.query<{ n: string }>(
        `SELECT deadlocks AS n FROM pg_stat_database WHERE datname = current_database()`,
      );
      return Number(rows[0]?.n);
    });
    expect(deadlocks).toBe(0);
    await checkInvariants(fleet, { turns: load.turns });
  });

  row(
    'row 27: every connection of the pool is held: 503 after a bounded wait, and all goes on afterwards',
    async () => {
      const held = Array.from({ length: 40 }, () => aSessionId('row27'));
      const client = new Client(fleet.url, 'errands');
      for (const sessionId of held) await client.createSession(sessionId);
      const turns = await withDatabase(fleet.databaseUrl, async (locker) => {
        await locker.query('BEGIN');
        await locker.query('SELECT 1 FROM adk_sessions WHERE id = ANY ($1) FOR UPDATE', [held]);
        // Each of them waits for its session in a connection of a pool, until there is none.
        const waiting = held.map((sessionId) => say(fleet, sessionId, 'hello'));
        const refused = await waitUntil('a refusal', async () => {
          const answer = await firstAnswer(fleet, aSessionId('row27'));
          return answer.status === 503 ? answer : undefined;
        });
        expect(refused.tookMs).toBeLessThan(10_000);
        for (const service of fleet.of('session-svc')) {
          const health = await fetch(`${service.healthUrl}/health`);
          expect(health.status).toBe(200);
        }
        await locker.query('ROLLBACK');
        return Promise.all(waiting);
      });

      expect(turns.map(({ events }) => events.length)).toEqual(held.map(() => 1));
      const { stored } = await checkInvariants(fleet, { turns });
      expect(held.map((id) => stored.invocations.filter(({ sessionId }) => sessionId === id).length)).toEqual(
        held.map(() => 1),
      );
    },
  );

  row('row 22: while Postgres is away for long, leases run out and others go on after it', async () => {
    const expected = await withoutFault(fleet, 'wait 200');
    const sessionId = aSessionId('row22');
    const turn = say(fleet, sessionId, 'wait 200');
    await waitUntil('the tool to begin', () => effectsOf(fleet, sessionId).length > 0 || undefined);

    await fleet.postgres.restart('SIGQUIT', () =>
      waitUntil(
        'the runner to stop itself',
        () => fleet.log().includes('its lease could not be renewed') || undefined,
      ),
    );
    await turn;

    expect(await sameForm(fleet, sessionId)).toEqual(expected);
    const { invocations } = await readStored(fleet.databaseUrl);
    expect(invocations.find((one) => one.sessionId === sessionId)?.status).toBe('completed');
    await checkInvariants(fleet);
  });
});

/** What one request hears, and after how long; it is not asked again. */
async function firstAnswer(
  fleet: Fleet,
  sessionId: string,
): Promise<{ status: number; headers: Headers; tookMs: number }> {
  const begunMs = performance.now();
  const client = new Client(fleet.url, 'errands');
  const { status, headers } = await client.run(sessionId, 'hello', { autoCreateSession: true });
  return { status, headers, tookMs: performance.now() - begunMs };
}
