import { AdkError, type DeadLetterDetails, type DeadLetterKey } from '@skein/contracts';
import { type Pool } from 'pg';
import { inspectDeadLetter } from './inspect-dead-letter';
import { query } from './query';

/** Sets a letter aside; one that is set aside already stays so. Rejects while it is under way. */
export async function discardDeadLetter(pool: Pool, key: DeadLetterKey): Promise<DeadLetterDetails> {
  const changed = await query(pool, statement, [key.appName, key.dispatchId]);
  const letter = await inspectDeadLetter(pool, key);
  if (changed.length > 0 || letter.status === 'discarded') return letter;
  throw new AdkError(
    'conflict',
    'dead-letter.under-way',
    `Call ${key.dispatchId} was sent again and is under way: it can be discarded once that is over.`,
  );
}

const statement = {
  name: 'discard-dead-letter',
  text: `
  UPDATE adk_dead_letters
     SET status = 'discarded'
   WHERE app_name = $1 AND dispatch_id = $2 AND (status = 'open' OR status = 'redriven' AND result IS NOT NULL)
  RETURNING dispatch_id`,
};
