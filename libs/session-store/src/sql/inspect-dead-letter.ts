import { AdkError, type DeadLetterDetails, type DeadLetterKey } from '@skein/contracts';
import { type Pool } from 'pg';
import { DEAD_LETTER_DETAILS, type DeadLetterDetailsRow, toDeadLetterDetails } from './dead-letter-columns';
import { query } from './query';

/** One dead letter with all its call was given; rejects when the app has no such one. */
export async function inspectDeadLetter(pool: Pool, key: DeadLetterKey): Promise<DeadLetterDetails> {
  const values = [key.appName, key.dispatchId];
  const [row] = await query<DeadLetterDetailsRow>(pool, statement, values);
  if (!row) throw noDeadLetter(key);
  return toDeadLetterDetails(row);
}

export function noDeadLetter({ dispatchId }: DeadLetterKey): AdkError {
  return new AdkError('not_found', 'dead-letter.not-found', `Dead letter not found: ${dispatchId}`);
}

const statement = {
  name: 'inspect-dead-letter',
  text: `
  SELECT ${DEAD_LETTER_DETAILS}
    FROM adk_dead_letters d
    JOIN adk_tool_calls t ON t.dispatch_id = d.dispatch_id
   WHERE d.app_name = $1 AND d.dispatch_id = $2`,
};
