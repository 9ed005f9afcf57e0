import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { eventIdOfNow } from '../event-id-of-now';

const BATCH = 200;
const UNDER_WAY = 2;
const EVENTS = 40_000;
const PER_SESSION = 80;

const TABLE = `create table plain_events (
  session_id text, seq bigint, id uuid, invocation_id text, body jsonb, primary key (session_id, seq))`;
const INSERT = {
  name: 'insert',
  text: `insert into plain_events select * from unnest($1::text[], $2::bigint[], $3::uuid[], $4::text[], $5::jsonb[])`,
};

/**
 * Events a second that Postgres takes when nothing is asked of it but to keep them: 200 to a statement, two at a time, with
 * ids like ours, for as long as is asked for: what is kept grows as beside it. The time to make up the events does not count.
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
    for (; spent < seconds; events += EVENTS) spent += await secondsToAppend(databaseUrl);
    return events / spent;
  };
}

/** Appends `EVENTS` events. */
async function secondsToAppend(databaseUrl: string): Promise<number> {
  const pool = new Pool({ connectionString: databaseUrl, max: UNDER_WAY });
  const batches = Array.from({ length: EVENTS / BATCH }, aBatch);
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
  const session = randomUUID();
  const rows = Array.from({ length: BATCH }, (_none, n) => ({
    session: `${session}-${Math.floor(n / PER_SESSION)}`,
    id: eventIdOfNow(),
    invocation: `${session}-${Math.floor(n / 4)}`,
  }));
  const content = { role: 'model', parts: [{ text: 'x'.repeat(400) }] };
  return [
    rows.map(({ session: id }) => id),
    rows.map((_row, n) => n),
    rows.map(({ id }) => id),
    rows.map(({ invocation }) => invocation),
    rows.map(({ id, invocation }) =>
      JSON.stringify({ id, invocationId: invocation, author: 'root', content }),
    ),
  ];
}
