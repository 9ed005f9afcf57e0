import {
  addStates,
  answerChains,
  endRuns,
  lockAndFence,
  settleAnswered,
  storeCalls,
  storeEvents,
  storeRecords,
} from './append-sections';
import { BY_KEY, PLANNED_ONCE } from './planner';

/** A chain as `toChainRows` makes it. */
const createChainType = `
CREATE TYPE skein_chain AS (
  chain integer, app_name text, user_id text, session_id text, invocation_id text, runner_id text, epoch bigint,
  first_no bigint, last_no bigint, event_count bigint, published_uid uuid, published_seq bigint, published_stream text,
  session_delta jsonb, user_delta jsonb, app_delta jsonb, records jsonb, calls jsonb, applied jsonb, finish jsonb)`;

/**
 * One batch of append units. A chain is the consecutive units of one session in this batch, numbered and folded by the
 * caller; it takes effect as a whole or not at all, and is absent from the answer when it does not. The first row's
 * `waiting` names the calls of the whole batch that wait for their turn.
 *
 * A function, not one statement with CTEs: each of its statements sees what was committed before the lock was granted.
 * A single statement keeps the snapshot it began with, so a finish could miss the invocation that was queued while it
 * waited for the session, and that one would never be claimed.
 *
 * A chain alone is written with its keys as parameters: that begins in a third of the time a join with a batch takes. Several
 * are written together, so that what a statement costs to begin is paid once. No plan may read a table whole, which a join by
 * key did for as long as the planner took the table for small: what a statement looks for by key is in a subquery that the planner
 * may not join in another order (FOR UPDATE, OFFSET 0), or among the keys of the batch (= ANY).
 */
const createAppendUnits = `
CREATE FUNCTION skein_append_units(p_chains jsonb, p_events jsonb, p_sections text[], p_lease_ms bigint)
RETURNS TABLE (chain integer, session_uid uuid, base_seq bigint, published_seq bigint,
               cancel_requested boolean, next_invocation text, next_epoch bigint, clock_ms bigint, waiting text[])
LANGUAGE plpgsql ${BY_KEY} ${PLANNED_ONCE} AS $$
#variable_conflict use_column
DECLARE
  is_alone boolean := jsonb_array_length(p_chains) = 1;
  chains skein_chain[];
  c skein_chain;
  held record;
  bases bigint[];
  uids uuid[];
  published bigint[];
  cancels boolean[];
  segments integer[];
  apps text[];
  users text[];
  sessions text[];
  invocations text[];
  nexts text[];
  next_epochs bigint[];
  clock timestamptz;
  call jsonb;
  share integer;
  room integer;
  -- What each pool has under way, and what each of its users got of this batch.
  under_way jsonb := '{}';
  in_pool integer;
  -- Whose call it is, and where.
  of_user text;
  is_waiting boolean;
  a jsonb;
  settled text[];
BEGIN
  ${lockAndFence}

  ${addStates}

  ${storeEvents}

  ${storeRecords}

  ${storeCalls}

  ${settleAnswered}

  ${endRuns}

  ${answerChains}
END $$`;

export const createAppendFunction = [createChainType, createAppendUnits];

export const dropAppendFunction = [
  'DROP FUNCTION skein_append_units(jsonb, jsonb, text[], bigint)',
  'DROP TYPE skein_chain',
];
