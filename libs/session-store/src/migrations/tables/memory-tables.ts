/** What agents remember of ended sessions. */
export const memoryTables = [
  // Not bound to the session: what was said is remembered when the session is deleted, too.
  `CREATE TABLE adk_memory_entries (
    id uuid NOT NULL DEFAULT gen_random_uuid() PRIMARY KEY,
    app_name text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    session_id text COLLATE "C" NOT NULL,
    position integer NOT NULL,
    event_id text NOT NULL,
    author text NOT NULL,
    content jsonb NOT NULL,
    "timestamp" double precision NOT NULL,
    words text[] NOT NULL,
    CONSTRAINT adk_memory_entries_position UNIQUE (app_name, user_id, session_id, position)
  )`,
  `CREATE INDEX adk_memory_entries_words ON adk_memory_entries USING gin (words)`,
];
