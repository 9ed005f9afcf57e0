import { type Pool } from 'pg';
import { query } from './query';

/** Gives a queued invocation for which no runner has room its turn, unless it has one. */
export async function standInLine(pool: Pool, invocationId: string): Promise<void> {
  await query(pool, statement, [invocationId]);
}

const statement = {
  name: 'stand-in-line',
  text: `
  UPDATE adk_invocations i
     SET turn = skein_turn(i.app_name, i.user_id)
   WHERE i.id = $1 AND i.status = 'queued' AND i.turn IS NULL`,
};
