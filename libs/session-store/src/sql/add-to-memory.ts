import { type AddToMemory, AdkError, type RememberedEvent } from '@skein/contracts';
import { rememberEvent } from '@skein/engine';
import { type Pool } from 'pg';
import { inTransaction, query } from './query';
import { readSession } from './read-session';

/**
 * Takes a session's events into its user's memory, in the place of those it took of it before; the stored ones when
 * none are given. Of two at once the second waits, so neither leaves half of the other.
 */
export async function addToMemory(pool: Pool, { events, ...key }: AddToMemory): Promise<void> {
  const given = events ?? (await storedEvents(pool, key));
  const names = [key.appName, key.userId, key.sessionId];
  const rows = given.flatMap(toMemoryRow);
  await inTransaction(pool, async (client) => {
    await query(client, lockStatement, [JSON.stringify(names)]);
    await query(client, forgetStatement, names);
    if (rows.length > 0) await query(client, insertStatement, [...names, JSON.stringify(rows)]);
  });
}

async function storedEvents(pool: Pool, key: Omit<AddToMemory, 'events'>): Promise<RememberedEvent[]> {
  const session = await readSession(pool, key);
  if (!session) throw new AdkError('not_found', 'session.not-found', `Session not found: ${key.sessionId}`);
  return session.events;
}

/** Without the entry's own time, which is that of the event in another form. */
function toMemoryRow(event: RememberedEvent, position: number): object[] {
  const remembered = rememberEvent(event);
  if (!remembered) return [];
  const { id: event_id, author, timestamp } = event;
  const { entry, words } = remembered;
  return [{ position, event_id, author, timestamp, content: entry.content, words: [...words] }];
}

const lockStatement = {
  name: 'lock-memory',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('memory ' || $1, 0))`,
};

const forgetStatement = {
  name: 'forget-session',
  text: 'DELETE FROM adk_memory_entries WHERE app_name = $1 AND user_id = $2 AND session_id = $3',
};

const insertStatement = {
  name: 'add-to-memory',
  text: `
  INSERT INTO adk_memory_entries (app_name, user_id, session_id, position, event_id, author, content, "timestamp", words)
  SELECT $1, $2, $3, m.position, m.event_id, m.author, m.content, m.timestamp, m.words
    FROM jsonb_to_recordset($4::jsonb) AS m(position integer, event_id text, author text, content jsonb,
                                            timestamp double precision, words text[])`,
};
