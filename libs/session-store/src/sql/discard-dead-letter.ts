import { AdkError, type DeadLetterDetails, type DeadLetterKey } from '@skein/contracts';
import { type Pool } from 'pg';
import { inspectDeadLetter } from './inspect-dead-letter';
import { query } from './query';

/**
 * Sets an open letter aside; one that is set aside already stays so. Rejects while it is under way, and where a redrive gave it its
 * result: it would read as if nobody had dealt with it.
 */
export async function discardDeadLetter(pool: Pool, key: DeadLetterKey): Promise<DeadLetterDetails> {
  const changed = await query(pool, statement, [key.appName, key.dispatchId]);
  const letter = await inspectDeadLetter(pool, key);
  if (changed.length > 0 || letter.status === 'discarded') return letter;
  if (letter.result)
    throw new AdkError(
      'conflict',
      'dead-letter.redriven',
      `Call ${key.dispatchId} was sent again, and has its result: there is nothing to set aside.`,
    );
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
   WHERE app_name = $1 AND dispatch_id = $2 AND status = 'open'
  RETURNING dispatch_id`,
};
