import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type AppendUnit, type Handover } from '@skein/contracts';
import {
  AppendBatcher,
  claimInvocation,
  createSession,
  migrate,
  openStore,
  readEventPage,
  renewLeases,
  type Store,
} from '@skein/session-store';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@skein/stack';
import { Client, type Pool, type QueryConfig } from 'pg';
import {
  aKey,
  anEvent,
  aUnit,
  eventually,
  LEASE_MS,
  SECRET,
  startRun,
  submit,
} from './session-store-harness';

let dataDir: string;
let postgres: EmbeddedPostgres;
let store: Store;
let batcher: AppendBatcher;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'skein-faults-'));
  postgres = await startEmbeddedPostgres({ dataDir });
  await migrate(postgres.url, 'up');
  store = await openStore({ databaseUrl: postgres.url, poolSize: 4 });
  batcher = batcherOn(store.pool);
}, 60_000);
afterAll(async () => {
  await store.close();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
});

function batcherOn(pool: Pool): AppendBatcher {
  return new AppendBatcher(pool, { secret: SECRET, leaseMs: LEASE_MS });
}

const AWAY = { kind: 'unavailable', code: 'store.unavailable' };

/** Stores 40 units of a run one after another, each again until there is an answer, as a runner does. */
async function appendPatiently(run: Handover, onUnit: (no: number) => void): Promise<void> {
  for (let no = 1; no <= 40; no++) {
    const unit = aUnit(run, no, { has: [anEvent()] });
    await eventually(`unit ${no}`, () => stored(unit), 60_000);
    onUnit(no);
  }
}

async function stored(unit: AppendUnit): Promise<true | undefined> {
  try {
    await batcher.append(unit);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ kind: 'unavailable' });
    return undefined;
  }
}

async function seqsOf(run: Handover): Promise<number[]> {
  return (await readEventPage(store.pool, { ...run, afterSeq: 0 })).events.map(({ seq }) => seq);
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('the store when PostgreSQL', () => {
  it.each(['SIGINT', 'SIGQUIT'] as const)(
    'row 22: is restarted (%s): units are sent again by number, none is there twice, leases survive',
    async (signal) => {
      const run = await startRun(store.pool, aKey());
      const { invocationId, epoch } = run;
      let restarted: Promise<void> | undefined;
      const restart = async (): Promise<void> => {
        process.kill(postgres.pid, signal);
        await postgres.exited;
        postgres = await startEmbeddedPostgres({ dataDir, port: postgres.port });
      };

      await appendPatiently(run, (no) => {
        if (no === 10) restarted = restart();
      });
      await restarted;

      expect(await seqsOf(run)).toEqual(upTo(40));
      const renewal = { runnerId: 'runner-1', leases: [{ invocationId, epoch }] };
      expect((await renewLeases(store.pool, renewal, LEASE_MS)).held).toEqual([invocationId]);
    },
    90_000,
  );

  it('row 23: is read-only for a while: writes are refused as "away", reads go on, then writes do', async () => {
    const run = await startRun(store.pool, aKey());
    await batcher.append(aUnit(run, 1, { has: [anEvent()] }));
    await setReadOnly('on');

    await expect(batcher.append(aUnit(run, 2, { has: [anEvent()] }))).rejects.toMatchObject(AWAY);
    await expect(submit(store.pool, aKey())).rejects.toMatchObject(AWAY);
    expect(await seqsOf(run)).toEqual([1]);
    await setReadOnly('off');

    await batcher.append(aUnit(run, 2, { has: [anEvent()] }));
    expect(await seqsOf(run)).toEqual([1, 2]);
  });

  it('row 24: commits and its answer is lost: what is stored decides, nothing is stored a second time', async () => {
    const run = await startRun(store.pool, aKey());
    let cuts = 0;
    const cut = batcherOn(
      interceptedPool('append-units', async (ask) => {
        await ask();
        if (cuts++ === 0) throw new Error('Connection terminated unexpectedly');
        return ask();
      }),
    );

    const answer = await cut.append(aUnit(run, 1, { has: [anEvent(), anEvent()] }));

    expect(cuts).toBeGreaterThan(0);
    expect(answer).toMatchObject({ lastSeq: 2 });
    expect(await seqsOf(run)).toEqual([1, 2]);
  });

  it.each(['40P01', '40001'])(
    'row 25: rolls back with %s: tried again, at most three times',
    async (code) => {
      const { submitted } = await submit(store.pool, aKey());
      const { invocationId } = submitted;
      let failures = 2;
      const pool = interceptedPool('claim-invocation', async (ask) => {
        if (failures-- > 0) throw Object.assign(new Error('rolled back'), { code });
        return ask();
      });
      const claim = { invocationId, runnerId: 'runner-1', claimId: code };

      expect((await claimInvocation(pool, claim, LEASE_MS))?.handover.invocationId).toBe(invocationId);

      failures = 3;
      await expect(claimInvocation(pool, claim, LEASE_MS)).rejects.toMatchObject(AWAY);
    },
  );

  it('row 27: has no connection left: callers hear so after 2 s, and all is well once there is one', async () => {
    const held = await Promise.all(upTo(4).map(() => store.pool.connect()));
    const startedAtMs = performance.now();

    try {
      await expect(createSession(store.pool, aKey())).rejects.toMatchObject(AWAY);
    } finally {
      for (const client of held) client.release();
    }

    expect(performance.now() - startedAtMs).toBeLessThan(4_000);
    await createSession(store.pool, aKey());
  });
});

/** The store's pool, with one statement going another way. */
function interceptedPool(name: string, answer: (ask: () => Promise<unknown>) => Promise<unknown>): Pool {
  const query = (config: QueryConfig): Promise<unknown> => {
    const ask = (): Promise<unknown> => store.pool.query(config);
    return config.name === name ? answer(ask) : ask();
  };
  return { query } as unknown as Pool; // All of it that is used.
}

async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  const admin = new Client({ connectionString: postgres.url });
  await admin.connect();
  await admin.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
  await admin.query('SELECT pg_reload_conf()');
  await admin.end();
  const shown = async (): Promise<true | undefined> => {
    const { rows } = await store.pool.query<{ setting: string }>(
      `SELECT current_setting('default_transaction_read_only') AS setting`,
    );
    return rows[0]?.setting === value ? true : undefined;
  };
  // Each connection of the pool hears of it by itself.
  await eventually('the setting', async () => {
    const all = await Promise.all([shown(), shown(), shown(), shown()]);
    return all.every(Boolean) ? true : undefined;
  });
}
