import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { migrate, openStore } from '@skein/session-store';
import { startEmbeddedPostgres } from '@skein/stack';
import { type Pool } from 'pg';
import { plainAppendsPerSecond } from '../limits/sql-appends';
import { type Measured, quantile, round } from '../report';
import { postgresVersion } from '../server-versions';
import { type AppendLoad, startAppends } from '../store-appends';

const CONNECTIONS = 4;
const ROUNDS = 5;
const SECONDS = 5;
const LOADS: readonly AppendLoad[] = [
  { name: '', sessions: 256, eventsPerUnit: 4 },
  { name: ' single', sessions: 256, eventsPerUnit: 1 },
];

/**
 * How many events a second the store takes with group commit, from 256 sessions that each wait for the answer to one
 * unit before they send the next, in units of four events (what a turn of one tool stores) and of one; beside it, in
 * turns, what Postgres takes when nothing is asked of it but to keep events. No service and no network between.
 */
export async function measureAppend(): Promise<Measured> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'skein-append-'));
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    await migrate(postgres.url, 'up');
    const store = await openStore({ databaseUrl: postgres.url });
    const plain = await plainAppendsPerSecond(postgres.url);
    const figures: Record<string, number> = {};
    for (const load of LOADS) Object.assign(figures, await measureLoad(store.pool, load, plain));
    await store.close();
    return { postgres: await postgresVersion(postgres.url), nats: 'not used', figures };
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measureLoad(
  pool: Pool,
  load: AppendLoad,
  plain: (seconds: number) => Promise<number>,
): Promise<Record<string, number>> {
  const appends = await startAppends(pool, load, CONNECTIONS);
  const { eventsPerBatch } = await appends.run(SECONDS); // Warm.
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push((await appends.run(SECONDS)).eventsPerSecond);
    theirs.push(await plain(SECONDS));
  }
  const eventsPerSecond = quantile(ours, 0.5);
  const plainEventsPerSecond = quantile(theirs, 0.5);
  return {
    [`eventsPerSecond${load.name}`]: Math.round(eventsPerSecond),
    [`plainEventsPerSecond${load.name}`]: Math.round(plainEventsPerSecond),
    [`vsPlainBatchedSql${load.name}`]: round(eventsPerSecond / plainEventsPerSecond),
    [`eventsPerBatch${load.name}`]: eventsPerBatch,
  };
}
