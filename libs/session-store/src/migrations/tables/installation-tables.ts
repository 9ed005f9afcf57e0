/** Of the installation itself: its streams, what was imported into it, and its name. */
export const installationTables = [
  // Which JetStream streams there are; `created` is the server's own word, `seen_at` our clock. `rewound_for` is the one that
  // what is noted as published was last taken back for.
  `CREATE TABLE adk_streams (
    name text COLLATE "C" NOT NULL PRIMARY KEY,
    created text NOT NULL,
    seen_at timestamptz NOT NULL,
    rewound_for text
  )`,

  // Which sessions another ADK's database gave, by its name, with how many rows of events it had and how many are stored. A
  // session that is deleted may be imported again.
  `CREATE TABLE adk_imports (
    app_name text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    session_id text COLLATE "C" NOT NULL,
    source text NOT NULL,
    source_events bigint NOT NULL,
    events bigint NOT NULL,
    imported_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_name, user_id, session_id),
    CONSTRAINT adk_imports_session FOREIGN KEY (app_name, user_id, session_id)
      REFERENCES adk_sessions (app_name, user_id, id) ON DELETE CASCADE
  )`,

  // One row: which database this is, for what is kept beside it.
  `CREATE TABLE adk_installation (id uuid NOT NULL DEFAULT gen_random_uuid() PRIMARY KEY)`,
  `INSERT INTO adk_installation DEFAULT VALUES`,
];
