import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { anEvent, EVENTS_AT_ONCE } from '../an-event';

const BATCH = 200;
const UNDER_WAY = 2;
const PER_SESSION = 80;

const TABLE = `create table plain_events (
  session_id text, seq bigint, id uuid, invocation_id text, body jsonb, primary key (session_id, seq))`;
const INSERT = {
  name: 'insert',
  text: `insert into plain_events select * from unnest($1::text[], $2::bigint[], $3::uuid[], $4::text[], $5::jsonb[])`,
};

/**
 * Events a second that Postgres takes when nothing is asked of it but to keep them: the same events as ours, 200 to a statement,
 * two at a time, for as long as is asked for, so that its table grows as ours does. The time to make them up does not count.
 */
export async function plainAppendsPerSecond(
  databaseUrl: string,
): Promise<(seconds: number) => Promise<number>> {
  const pool = new Pool({ connectionString: databaseUrl, max: UNDER_WAY });
  await pool.query(TABLE);
  await pool.query('create unique index on plain_events (id)');
  await pool.end();
  return async (seconds) => {
    let events = 0;
    let spent = 0;
    for (; spent < seconds; events += EVENTS_AT_ONCE) spent += await secondsToAppend(databaseUrl);
    return events / spent;
  };
}

/** Appends `EVENTS_AT_ONCE` events. */
async function secondsToAppend(databaseUrl: string): Promise<number> {
  const pool = new Pool({ connectionString: databaseUrl, max: UNDER_WAY });
  pool.on('error', () => undefined); // Its end does not wait for the goodbye of its connections, and the server may be stopped before.
  const batches = Array.from({ length: EVENTS_AT_ONCE / BATCH }, aBatch);
  // Ours have their connections before they begin, too.
  await Promise.all(Array.from({ length: UNDER_WAY }, () => pool.query('select 1')));
  const begun = performance.now();
  const drive = async (): Promise<void> => {
    for (let values = batches.pop(); values; values = batches.pop()) await pool.query({ ...INSERT, values });
  };
  await Promise.all(Array.from({ length: UNDER_WAY }, drive));
  const seconds = (performance.now() - begun) / 1_000;
  await pool.end();
  return seconds;
}

function aBatch(): unknown[][] {
  const batch = randomUUID();
  const events = Array.from({ length: BATCH }, (_none, n) => anEvent(`e-${batch}-${Math.floor(n / 4)}`));
  return [
    events.map((_event, n) => `${batch}-${Math.floor(n / PER_SESSION)}`),
    events.map((_event, n) => n),
    events.map(({ id }) => id),
    events.map(({ invocationId }) => invocationId),
    events.map((event) => JSON.stringify(event)),
  ];
}
