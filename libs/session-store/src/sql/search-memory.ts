import { type Content, type FoundMemories, type SearchMemory } from '@skein/contracts';
import { MAX_MEMORIES, rememberEvent, wordsOf } from '@skein/engine';
import { type Pool } from 'pg';
import { query } from './query';

/** What a user's memory holds that shares a word with the query (B61): the newest of it, the oldest first. */
export async function searchMemory(
  pool: Pool,
  { appName, userId, query: asked }: SearchMemory,
): Promise<FoundMemories> {
  const words = [...wordsOf(asked)];
  if (words.length === 0) return { memories: [] };
  const rows = await query<MemoryRow>(pool, statement, [appName, userId, words, MAX_MEMORIES]);
  return { memories: rows.reverse().flatMap((row) => rememberEvent(row)?.entry ?? []) };
}

interface MemoryRow {
  readonly id: string;
  readonly author: string;
  readonly content: Content;
  readonly timestamp: number;
}

const statement = {
  name: 'search-memory',
  text: `
  SELECT event_id AS id, author, content, "timestamp"
    FROM adk_memory_entries
   WHERE app_name = $1 AND user_id = $2 AND words && $3::text[]
   ORDER BY "timestamp" DESC, session_id DESC, position DESC
   LIMIT $4`,
};
