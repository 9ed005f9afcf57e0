/** Sessions, their events, and the state of apps and users. */
export const sessionTables = [
  // An append updates no indexed column, so with room on the page the row's new version needs no index entry (HOT).
  `CREATE TABLE adk_sessions (
    app_name text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    state jsonb NOT NULL DEFAULT '{}',
    initial_state jsonb NOT NULL DEFAULT '{}',
    inserted_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    uid uuid NOT NULL DEFAULT gen_random_uuid(),
    last_seq bigint NOT NULL DEFAULT 0,
    published_seq bigint NOT NULL DEFAULT 0,
    owner text,
    owner_epoch bigint NOT NULL DEFAULT 0,
    append_no bigint NOT NULL DEFAULT 0,
    queue_tail bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (app_name, user_id, id)
  ) WITH (fillfactor = 70)`,

  // By id first: ids begin with the time, so what is stored now lies together in the key (ADR 43). The unique key serves reads by
  // session and, with where an invocation begins, those by invocation (event-functions.ts): every index more is written for each
  // event. Without a foreign key, as invocations, inputs and calls: forget-functions.ts says why.
  `CREATE TABLE adk_events (
    app_name text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    session_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    invocation_id text COLLATE "C",
    author text,
    branch text,
    content jsonb,
    actions jsonb,
    partial boolean,
    turn_complete boolean,
    error_code text,
    error_message text,
    interrupted boolean,
    custom_metadata jsonb,
    usage_metadata jsonb,
    citation_metadata jsonb,
    grounding_metadata jsonb,
    long_running_tool_ids text[],
    "timestamp" timestamptz NOT NULL,
    step_key text,
    step_hash text,
    extra jsonb,
    PRIMARY KEY (id, app_name, user_id, session_id),
    CONSTRAINT adk_events_session_seq UNIQUE (app_name, user_id, session_id, seq)
  )`,
  // Where a function response finds its call without reading the rest of a long session.
  `CREATE INDEX adk_events_calls ON adk_events (app_name, user_id, session_id, seq)
    WHERE content @? '$.parts[*].functionCall'`,
  // What was taken back; hardly any session has one.
  `CREATE INDEX adk_events_rewinds ON adk_events (app_name, user_id, session_id, seq)
    WHERE actions ? 'rewindBeforeInvocationId'`,

  `CREATE TABLE adk_app_states (
    app_name text COLLATE "C" NOT NULL PRIMARY KEY,
    state jsonb NOT NULL DEFAULT '{}',
    updated_at timestamptz NOT NULL DEFAULT now(),
    version bigint NOT NULL DEFAULT 1
  ) WITH (fillfactor = 70)`,
  `CREATE TABLE adk_user_states (
    app_name text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    state jsonb NOT NULL DEFAULT '{}',
    updated_at timestamptz NOT NULL DEFAULT now(),
    version bigint NOT NULL DEFAULT 1,
    PRIMARY KEY (app_name, user_id)
  ) WITH (fillfactor = 70)`,
];
