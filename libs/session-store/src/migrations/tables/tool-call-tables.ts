/** Calls of tools, what limits them, and those the plane ended. */
export const toolCallTables = [
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
];
