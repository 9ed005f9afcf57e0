import { Client } from 'pg';
import { translateError } from '../translate-error';

/** What a restored database holds. */
export interface BegunAnew {
  readonly sessions: number;
  /** Runs that were under way when the backup was made: they go on from there. */
  readonly running: number;
}

/**
 * Parts a restored database from what came after its backup, which processes and streams may still know. Each session gets
 * another `uid`, as if it were created anew: what is cached, followed, or in the stream of events under the one before is
 * not taken for its own. Each epoch goes far beyond any that was given since, so that no owner of then passes the fence; its
 * lease is over. What is noted of streams is forgotten: open calls are sent again, recent events published again. Runs as a
 * whole or not at all. Once more is harmless.
 */
export async function beginAnew(databaseUrl: string): Promise<BegunAnew> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'skein-restored' });
  client.on('error', () => undefined); // The statement that fails because of it carries the same error.
  try {
    await client.connect();
    const { rows } = await client.query<{ sessions: string; running: string }>(statement);
    return { sessions: Number(rows[0]?.sessions), running: Number(rows[0]?.running) };
  } catch (error) {
    throw translateError(error, 'begin-anew');
  } finally {
    await client.end();
  }
}

/** More claims than a session sees between a backup and its restore. */
const EPOCHS = 1_000_000;

const statement = `
  WITH forgotten AS (DELETE FROM adk_streams),
  session AS (
    UPDATE adk_sessions s
       SET uid = gen_random_uuid(), owner = NULL, owner_epoch = s.owner_epoch + ${EPOCHS}
    RETURNING s.app_name, s.user_id, s.id, s.owner_epoch),
  run AS (
    UPDATE adk_invocations i
       SET epoch = s.owner_epoch, lease_until = clock_timestamp(), attempt = 1
      FROM session s
     WHERE i.status = 'running' AND s.app_name = i.app_name AND s.user_id = i.user_id AND s.id = i.session_id
    RETURNING i.id)
  SELECT (SELECT count(*) FROM session) AS sessions, (SELECT count(*) FROM run) AS running`;
