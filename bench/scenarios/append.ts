import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { migrate, openStore } from '@skein/session-store';
import { startEmbeddedPostgres } from '@skein/stack';
import { type Pool } from 'pg';
import { plainAppendsPerSecond } from '../limits/sql-appends';
import { type Figures, type Measured, type Spread } from '../report';
import { mediansOf, spreadOf } from '../rounds';
import { postgresVersion } from '../server-versions';
import { type AppendLoad, startAppends } from '../store-appends';

const CONNECTIONS = 4;
const ROUNDS = 9;
const SECONDS = 3;
const LOADS: readonly AppendLoad[] = [
  { name: '', sessions: 256, eventsPerUnit: 4 },
  { name: ' single', sessions: 256, eventsPerUnit: 1 },
];

/**
 * How many events a second the store takes with group commit, from 256 sessions that each wait for the answer to one
 * unit before they send the next, in units of four events (what a turn of one tool stores) and of one; beside it, in
 * turns, what Postgres takes when nothing is asked of it but to keep events; medians of
 * the rounds, the ratio's too. No service and no network between.
 */
export async function measureAppend(): Promise<Measured> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'skein-append-'));
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    await migrate(postgres.url, 'up');
    const store = await openStore({ databaseUrl: postgres.url });
    const plain = await plainAppendsPerSecond(postgres.url);
    const loads: Figures[][] = [];
    for (const load of LOADS) loads.push(await measureLoad(store.pool, load, plain));
    await store.close();
    const figures: Figures = ofAll(loads.map(mediansOf));
    const spread: Spread = ofAll(loads.map(spreadOf));
    return { postgres: await postgresVersion(postgres.url), nats: 'not used', figures, spread };
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function ofAll<T>(parts: readonly Readonly<Record<string, T>>[]): Record<string, T> {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
}

/** What each round gave. */
async function measureLoad(
  pool: Pool,
  load: AppendLoad,
  plain: (seconds: number) => Promise<number>,
): Promise<Figures[]> {
  const appends = await startAppends(pool, load, CONNECTIONS);
  await appends.run(SECONDS); // Warm.
  const rounds: Figures[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { eventsPerSecond, eventsPerBatch } = await appends.run(SECONDS);
    const plainEventsPerSecond = await plain(SECONDS);
    rounds.push({
      [`eventsPerSecond${load.name}`]: Math.round(eventsPerSecond),
      [`plainEventsPerSecond${load.name}`]: Math.round(plainEventsPerSecond),
      [`vsPlainBatchedSql${load.name}`]: eventsPerSecond / plainEventsPerSecond,
      [`eventsPerBatch${load.name}`]: eventsPerBatch,
    });
  }
  return rounds;
}
