/** Runs, what was said to them, and what each has done so far. */
export const invocationTables = [
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
];
