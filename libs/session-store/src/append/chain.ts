import { type AppendUnit, type CallRow, type Ticket, type ToolPriority } from '@skein/contracts';
import { splitState } from '@skein/engine';
import { SCHEDULE_TO_START_MS } from '../pool-defaults';
import { toEventTuples } from './event-tuple';

/** Consecutive units of one session in one batch; they take effect together or not at all. */
export type Chain = readonly [AppendUnit, ...AppendUnit[]];

/** Up to where a session's events are known to be in the EVENTS stream. */
export interface PublishedHead {
  readonly sessionUid: string;
  readonly seq: number;
  /** Which of its lives the stream was in when these were published, or an earlier one. */
  readonly stream: string | undefined;
}

/** A chain as `skein_append_units` takes it: numbered from 1 by place, its deltas folded in order. */
interface ChainRow {
  readonly chain: number;
  readonly [field: string]: unknown;
}

/** A unit may follow another in a chain only where the database would let it follow without looking. */
export function follows(earlier: AppendUnit, later: AppendUnit): boolean {
  return (
    later.appendNo === earlier.appendNo + 1 &&
    later.epoch === earlier.epoch &&
    later.invocationId === earlier.invocationId &&
    later.runnerId === earlier.runnerId &&
    // A finish ends the epoch.
    earlier.finish === undefined
  );
}

/** What a call is up against as it is stored. */
export interface CallPlace {
  /** It has to wait for its turn: its tool has limits, or no live worker. */
  readonly waits: boolean;
  /** How many calls its user may have under way in its pool, this one included; as many as there are when absent. */
  readonly share?: number | undefined;
  /** How many calls of all users may be under way in its pool: what waits beyond that waits here, where turns are kept. */
  readonly room?: number | undefined;
}

/** What is known here of a batch beside its units. */
export interface BatchContext {
  readonly publishedOf: (unit: AppendUnit) => PublishedHead | undefined;
  readonly placeOf: (unit: AppendUnit, call: CallRow) => CallPlace;
  /** The tickets that calls leave with while they are stored, by their ids. */
  readonly ahead: ReadonlyMap<string, Ticket>;
}

/** A batch as it travels, in JSON: its chains, and their events beside them. */
export interface StorableBatch {
  readonly rows: string;
  readonly events: string;
  /** Which optional parts of the statement have work. */
  readonly sections: readonly string[];
}

/**
 * Makes the rows of one batch. They are text at once: kept as objects until the statement is answered, the rows of all
 * batches under way would be copied by each collection of young objects meanwhile.
 */
export function toChainRows(chains: readonly Chain[], context: BatchContext): StorableBatch {
  const rows = chains.map((chain, index) => toChainRow(chain, index + 1, context));
  const sectionOf = {
    user: 'user_delta',
    app: 'app_delta',
    records: 'records',
    calls: 'calls',
    applied: 'applied',
    finish: 'finish',
  };
  const sections = Object.entries(sectionOf)
    .filter(([, field]) => rows.some((row) => row[field] !== undefined))
    .map(([section]) => section);
  const events = chains.flatMap((chain, index) =>
    toEventTuples(
      index + 1,
      chain[0].invocationId,
      chain.flatMap((unit) => unit.events),
    ),
  );
  return { rows: JSON.stringify(rows), events: JSON.stringify(events), sections };
}

/** How long a call may wait for its start. */
export function startMs({ policy }: Pick<CallRow, 'policy'>): number {
  return policy.scheduleToStartTimeoutMs ?? SCHEDULE_TO_START_MS;
}

/**
 * How long a call may stay open from when it is sent: every attempt at its full length, and time to be started. Long
 * after it a worker could still be busy, but its result would no longer be waited for. The time in which it waits for its
 * turn, or for its next attempt, is not part of it.
 */
export function allowanceMs(call: Pick<CallRow, 'policy'>): number {
  return call.policy.timeoutMs * call.policy.maxAttempts + startMs(call);
}

const PRIORITIES: readonly ToolPriority[] = ['high', 'normal', 'low'];

function toChainRow(chain: Chain, number: number, context: BatchContext): ChainRow {
  const { publishedOf, placeOf, ahead } = context;
  const [first] = chain;
  const published = publishedOf(first);
  const last = chain.at(-1) ?? first;
  const events = chain.flatMap((unit) => unit.events);
  const scopes = splitState(foldDeltas(events.map(({ event }) => event.actions.stateDelta)));
  return {
    chain: number,
    app_name: first.appName,
    user_id: first.userId,
    session_id: first.sessionId,
    invocation_id: first.invocationId,
    runner_id: first.runnerId,
    epoch: first.epoch,
    first_no: first.appendNo,
    last_no: last.appendNo,
    published_uid: published?.sessionUid,
    published_seq: published?.seq,
    published_stream: published?.stream,
    event_count: events.length,
    session_delta: unlessEmpty(scopes.session),
    user_delta: unlessEmpty(scopes.user),
    app_delta: unlessEmpty(scopes.app),
    records: unlessNone(chain.flatMap((unit) => unit.records.map(toRecordRow))),
    calls: unlessNone(
      chain.flatMap((unit) =>
        unit.calls.map((call) =>
          toCallRow(call, isOpenAfter(chain, call) ? placeOf(unit, call) : { waits: true }, ahead),
        ),
      ),
    ),
    applied: unlessNone(appliedRows(chain)),
    finish: last.finish,
  };
}

/**
 * Whether anybody waits for a call once all of its chain is stored, which may settle it or end its run. One that nobody
 * waits for is stored as one that waits for its turn: it is not sent, and closed with what ends it, so it keeps no place.
 */
export function isOpenAfter(chain: Chain, { dispatchId }: CallRow): boolean {
  return !chain.some(({ finish, appliedCalls }) => finish !== undefined || appliedCalls.includes(dispatchId));
}

/** Per key, the later wins. Entries, not assignment: a key named `__proto__` stays a key. */
function foldDeltas(deltas: readonly Readonly<Record<string, unknown>>[]): Record<string, unknown> {
  return Object.fromEntries(deltas.flatMap((delta) => Object.entries(delta)));
}

function toRecordRow({ stepKey, kind, payload, hash }: AppendUnit['records'][number]): object {
  return { step_key: stepKey, kind, payload, hash };
}

function toCallRow(
  call: CallRow,
  { waits, share, room }: CallPlace,
  ahead: ReadonlyMap<string, Ticket>,
): object {
  const aheadDeadlineMs = ahead.get(call.dispatchId)?.deadlineMs;
  return {
    dispatch_id: call.dispatchId,
    step_key: call.stepKey,
    call_index: call.index,
    call_id: call.callId,
    agent_name: call.agentName,
    tool: call.tool,
    pool: call.pool,
    args: call.args,
    policy: aheadDeadlineMs === undefined ? call.policy : { ...call.policy, aheadDeadlineMs },
    confirmation: call.confirmation,
    allowance_ms: allowanceMs(call),
    start_ms: startMs(call),
    priority: PRIORITIES.indexOf(call.policy.priority ?? 'normal'),
    waits,
    share,
    room,
  };
}

/** A call is applied at the last event of the unit that says so: its response, or what a branch beside it staged after. */
function appliedRows(chain: Chain): object[] {
  let n = 0;
  return chain.flatMap((unit) => {
    n += unit.events.length;
    const answered = new Set(unit.answered?.map(({ dispatchId }) => dispatchId));
    return unit.appliedCalls.map((dispatchId) => ({
      dispatch_id: dispatchId,
      n,
      ...(answered.has(dispatchId) && { is_answered: true }),
    }));
  });
}

function unlessEmpty(delta: object): object | undefined {
  return Object.keys(delta).length === 0 ? undefined : delta;
}

function unlessNone<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length === 0 ? undefined : items;
}
