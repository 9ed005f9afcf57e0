/**
 * Key columns compare by bytes (COLLATE "C"): ids are compared, never sorted for people, and the locale of a server must
 * not change the order in which rows are locked.
 */
export const createTables = [
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

  // The unique key also serves reads by session, so the plain index on (app_name, user_id, session_id) is left out. Without a
  // foreign key, as invocations, inputs and calls: forget-functions.ts says why.
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
    PRIMARY KEY (app_name, user_id, session_id, id),
    CONSTRAINT adk_events_session_seq UNIQUE (app_name, user_id, session_id, seq)
  )`,
  `CREATE INDEX adk_events_invocation_id ON adk_events (invocation_id)`,
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

  `CREATE TABLE adk_invocations (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    app_name text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    session_id text COLLATE "C" NOT NULL,
    queue_no bigint NOT NULL,
    status text NOT NULL,
    owner text,
    epoch bigint NOT NULL DEFAULT 0,
    claim_id text,
    lease_until timestamptz,
    attempt integer NOT NULL DEFAULT 1,
    cancel_requested_at timestamptz,
    segment integer NOT NULL DEFAULT 0,
    base_state jsonb,
    base_seq bigint,
    from_seq bigint,
    last_no bigint,
    last_epoch bigint,
    traceparent text,
    error jsonb,
    inserted_at timestamptz NOT NULL DEFAULT now(),
    queued_at timestamptz NOT NULL DEFAULT now(),
    stopped_at timestamptz,
    turn bigint,
    -- One constant: every statement that writes the table reads its check anew, and a list of constants takes it longer.
    CONSTRAINT adk_invocations_status CHECK
      (status = ANY ('{queued,running,waiting,completed,failed,cancelled,dead}'))
  ) WITH (fillfactor = 70)`,
  // What a session has to do, and all the sweeper looks at; it stays as small as the work in hand. A query for one of
  // the two states uses it too: the planner knows that `status = 'running'` implies the condition. No two of a session that
  // wait or run have one place; of those that ended nobody asks for theirs.
  `CREATE UNIQUE INDEX adk_invocations_active ON adk_invocations (app_name, user_id, session_id, queue_no)
    WHERE status IN ('queued', 'running')`,
  // A session's invocations in the order of their making, a page at a time.
  `CREATE INDEX adk_invocations_session ON adk_invocations (app_name, user_id, session_id, id)`,
  // Whose events may have been left unpublished by a crash.
  `CREATE INDEX adk_invocations_stopped_at ON adk_invocations (stopped_at) WHERE stopped_at IS NOT NULL`,
  // The line of those that wait for a runner, and where each user's own part of it ends: empty while runners have room.
  `CREATE INDEX adk_invocations_line ON adk_invocations (turn, id) WHERE status = 'queued' AND turn IS NOT NULL`,
  `CREATE INDEX adk_invocations_turns ON adk_invocations (app_name, user_id, turn) WHERE status = 'queued' AND turn IS NOT NULL`,
  // What a claim that is asked for once more got the first time.
  `CREATE INDEX adk_invocations_claims ON adk_invocations (claim_id) WHERE status = 'running' AND claim_id IS NOT NULL`,

  `CREATE TABLE adk_inputs (
    invocation_id text COLLATE "C" NOT NULL,
    ordinal integer NOT NULL,
    app_name text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    message jsonb,
    state_delta jsonb,
    run_config jsonb NOT NULL,
    function_call_event_id text,
    idempotency_key text COLLATE "C",
    body_digest text,
    after_seq bigint NOT NULL,
    queue_no bigint NOT NULL,
    traceparent text,
    applied boolean NOT NULL DEFAULT false,
    outcome jsonb,
    end_seq bigint,
    PRIMARY KEY (invocation_id, ordinal)
  ) WITH (fillfactor = 70)`,
  `CREATE UNIQUE INDEX adk_inputs_idempotency_key ON adk_inputs (app_name, user_id, idempotency_key)
    WHERE idempotency_key IS NOT NULL`,

  // kind is in the key because a step that stored its arguments may later store temp: state as well.
  `CREATE TABLE adk_journal (
    invocation_id text COLLATE "C" NOT NULL REFERENCES adk_invocations (id) ON DELETE CASCADE,
    step_key text COLLATE "C" NOT NULL,
    kind text NOT NULL,
    payload jsonb,
    hash text,
    PRIMARY KEY (invocation_id, step_key, kind)
  )`,

  `CREATE TABLE adk_tool_calls (
    dispatch_id text COLLATE "C" NOT NULL PRIMARY KEY,
    invocation_id text COLLATE "C" NOT NULL,
    step_key text NOT NULL,
    call_index integer NOT NULL,
    call_id text NOT NULL,
    agent_name text NOT NULL,
    tool text NOT NULL,
    pool text NOT NULL,
    args jsonb NOT NULL,
    policy jsonb NOT NULL,
    confirmation jsonb,
    status text NOT NULL,
    attempt integer NOT NULL DEFAULT 1,
    sent_at timestamptz NOT NULL,
    confirmed_at timestamptz,
    deadline timestamptz NOT NULL,
    begun_message text,
    begun_by uuid,
    result jsonb,
    forwarded_epoch bigint,
    forwarded_at timestamptz,
    applied_seq bigint,
    app_name text COLLATE "C",
    user_id text COLLATE "C",
    priority smallint NOT NULL DEFAULT 1,
    not_before timestamptz,
    start_deadline timestamptz,
    dispatched_at timestamptz,
    inserted_at timestamptz NOT NULL DEFAULT now(),
    returned integer NOT NULL DEFAULT 0,
    missed integer NOT NULL DEFAULT 0,
    start_by timestamptz,
    starts integer,
    CONSTRAINT adk_tool_calls_status CHECK (status = ANY ('{queued,dispatched,running,done,dead}'))
  ) WITH (fillfactor = 70)`,
  `CREATE INDEX adk_tool_calls_invocation_id ON adk_tool_calls (invocation_id)`,
  // Whose turn it is: the next user, and of one user the next tool, are each one look-up, however many calls wait.
  `CREATE INDEX adk_tool_calls_turns ON adk_tool_calls (pool, priority, app_name, user_id, tool, not_before)
    WHERE status = 'queued'`,
  // Which tools calls wait for, and when the next of each is due. Only for who names the condition, which is always true: a
  // look-up of one user would else be made here, past the calls of all others.
  `CREATE INDEX adk_tool_calls_waiting ON adk_tool_calls (pool, app_name, tool, not_before)
    WHERE status = 'queued' AND call_index >= 0`,
  // What each user has under way in a pool.
  `CREATE INDEX adk_tool_calls_under_way ON adk_tool_calls (pool, app_name, user_id)
    WHERE status IN ('dispatched', 'running')`,
  // What is past its time, the first one first: a sweep reads that, however many calls are open. By when a call has to end,
  // by when it has to begin, and since when it may be unsent, or have been lost with the stream that had it.
  `CREATE INDEX adk_tool_calls_deadline ON adk_tool_calls (deadline, dispatch_id)
    WHERE status IN ('dispatched', 'running')`,
  `CREATE INDEX adk_tool_calls_start_deadline ON adk_tool_calls (start_deadline, dispatch_id)
    WHERE status IN ('queued', 'dispatched')`,
  `CREATE INDEX adk_tool_calls_sent ON adk_tool_calls (confirmed_at, sent_at) WHERE status = 'dispatched'`,
  // Results that were stored without their owner; few runs have any.
  `CREATE INDEX adk_tool_calls_unapplied ON adk_tool_calls (invocation_id)
    WHERE result IS NOT NULL AND applied_seq IS NULL`,
  // What of a tool with a limit is under way in the whole fleet.
  `CREATE INDEX adk_tool_calls_limited ON adk_tool_calls (app_name, tool)
    WHERE status IN ('dispatched', 'running') AND policy ? 'maxConcurrency'`,

  // Where the turns of each priority stopped in a pool, and who was there lately. Locked while calls of it are admitted.
  `CREATE TABLE adk_tool_pools (
    pool text NOT NULL PRIMARY KEY,
    turns jsonb NOT NULL DEFAULT '{}',
    seen jsonb NOT NULL DEFAULT '{}'
  ) WITH (fillfactor = 70)`,

  // One row for each tool with a fleet-wide limit: locked while its calls are admitted, with what its rate has left.
  `CREATE TABLE adk_tool_lanes (
    app_name text COLLATE "C" NOT NULL,
    tool text COLLATE "C" NOT NULL,
    tokens double precision NOT NULL DEFAULT 0,
    refilled_at timestamptz,
    PRIMARY KEY (app_name, tool)
  ) WITH (fillfactor = 70)`,

  // Calls the plane ended, with what led to it. Bound to the call, not to the session: whoever writes one holds the call's lock
  // already, and may not wait for the session's behind it. "context" is what the call's own row does not hold.
  `CREATE TABLE adk_dead_letters (
    dispatch_id text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES adk_tool_calls (dispatch_id) ON DELETE CASCADE,
    app_name text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    session_id text COLLATE "C" NOT NULL,
    invocation_id text COLLATE "C" NOT NULL,
    tool text NOT NULL,
    pool text NOT NULL,
    attempts integer NOT NULL,
    code text NOT NULL,
    message text NOT NULL,
    context jsonb NOT NULL,
    died_at timestamptz NOT NULL,
    status text NOT NULL DEFAULT 'open',
    result jsonb,
    redriven_at timestamptz,
    confirmed_at timestamptz,
    deadline timestamptz,
    begun_message text,
    begun_by uuid,
    returned integer NOT NULL DEFAULT 0,
    started integer,
    CONSTRAINT adk_dead_letters_status CHECK (status IN ('open', 'redriven', 'discarded'))
  )`,
  // An app's, a page at a time, the newest first: all of them, or those of one status.
  `CREATE INDEX adk_dead_letters_app ON adk_dead_letters (app_name, died_at, dispatch_id)`,
  `CREATE INDEX adk_dead_letters_app_status ON adk_dead_letters (app_name, status, died_at, dispatch_id)`,
  // What is counted, and what is collected one day.
  `CREATE INDEX adk_dead_letters_pool ON adk_dead_letters (pool) WHERE status = 'open'`,
  `CREATE INDEX adk_dead_letters_died_at ON adk_dead_letters (died_at)`,
  // Those that are under way; hardly ever any.
  `CREATE INDEX adk_dead_letters_redriven_at ON adk_dead_letters (redriven_at)
    WHERE status = 'redriven' AND result IS NULL`,

  `CREATE TABLE adk_artifacts (
    app_name text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    session_id text COLLATE "C" NOT NULL,
    filename text COLLATE "C" NOT NULL,
    version integer NOT NULL,
    object_key text NOT NULL,
    mime_type text NOT NULL,
    size_bytes bigint NOT NULL,
    sha256 text NOT NULL,
    custom_metadata jsonb,
    save_key text,
    sniffed_type text,
    inserted_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_name, user_id, session_id, filename, version)
  )`,
  `CREATE INDEX adk_artifacts_object_key ON adk_artifacts (object_key)`,

  // Keys that get no version any more, kept for as long as somebody may still ask for one: their objects go, or are gone.
  `CREATE TABLE adk_dropped_objects (
    object_key text NOT NULL PRIMARY KEY,
    dropped_at timestamptz NOT NULL DEFAULT now()
  )`,

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

export const dropTables = [
  'adk_imports',
  'adk_installation',
  'adk_streams',
  'adk_memory_entries',
  'adk_dropped_objects',
  'adk_artifacts',
  'adk_tool_lanes',
  'adk_tool_pools',
  'adk_dead_letters',
  'adk_tool_calls',
  'adk_journal',
  'adk_inputs',
  'adk_invocations',
  'adk_user_states',
  'adk_app_states',
  'adk_events',
  'adk_sessions',
].map((table) => `DROP TABLE ${table}`);
