import { type Pool } from 'pg';
import { normalForm } from '../../conformance/normal-form';
import { type PlayedSession } from './play-session';

/** Every column that a fault could change; ids, times and places of processes differ from run to run. */
const EVENTS = `
  SELECT id, seq::int AS seq, author, branch, content, actions, error_code, error_message, interrupted, partial,
         turn_complete, custom_metadata, long_running_tool_ids, step_key, invocation_id,
         to_jsonb(extra) - 'timestamp' AS extra
  FROM adk_events WHERE app_name = $1 AND user_id = $2 AND session_id = $3 ORDER BY seq`;
const INVOCATIONS = `
  SELECT id, status, segment, epoch::int AS epoch, attempt, error FROM adk_invocations
  WHERE app_name = $1 AND user_id = $2 AND session_id = $3 ORDER BY queue_no`;
const STATES = `
  SELECT s.state, u.state AS "user", a.state AS app, s.last_seq::int AS "lastSeq", s.owner_epoch::int AS "ownerEpoch"
  FROM adk_sessions s
  LEFT JOIN adk_user_states u ON u.app_name = s.app_name AND u.user_id = s.user_id
  LEFT JOIN adk_app_states a ON a.app_name = s.app_name
  WHERE s.app_name = $1 AND s.user_id = $2 AND s.id = $3`;

export interface EventRow {
  readonly id: string;
  readonly seq: number;
  readonly author: string;
  readonly branch: string | null;
  readonly content: {
    readonly parts?: readonly {
      readonly text?: string;
      readonly functionCall?: { readonly id: string; readonly name: string };
      readonly functionResponse?: { readonly id: string; readonly name: string; readonly response: unknown };
    }[];
  } | null;
  readonly invocation_id: string;
  readonly [column: string]: unknown;
}

export interface InvocationRow {
  readonly id: string;
  readonly status: string;
  readonly segment: number;
  readonly epoch: number;
  readonly attempt: number;
  readonly error: unknown;
}

export interface SessionRecord {
  readonly events: readonly EventRow[];
  readonly invocations: readonly InvocationRow[];
  readonly state: unknown;
  readonly lastSeq: number;
  /** How often the session was claimed or taken away. */
  readonly ownerEpoch: number;
}

/** What Postgres holds of a session. */
export async function readRecord(pool: Pool, session: PlayedSession): Promise<SessionRecord> {
  const key = [session.app, session.userId, session.sessionId];
  const [events, invocations, states] = await Promise.all([
    pool.query<EventRow>(EVENTS, key),
    pool.query<InvocationRow>(INVOCATIONS, key),
    pool.query<{ lastSeq: number; ownerEpoch: number }>(STATES, key),
  ]);
  const { lastSeq = 0, ownerEpoch = 0, ...state } = states.rows[0] ?? {};
  return { events: events.rows, invocations: invocations.rows, state, lastSeq, ownerEpoch };
}

/**
 * Tools that must not run twice. When their worker dies it is not known what they did, and the model is told so: another
 * answer than without the fault, and the only one allowed.
 */
const ONCE = new Set(['pay', 'mark']);
const UNKNOWN = 'whether it took effect is not known';

/** How many calls ended as "outcome unknown". */
export function unknownOutcomes({ events }: SessionRecord): number {
  const responses = events
    .flatMap(({ content }) => content?.parts ?? [])
    .flatMap((part) => part.functionResponse ?? []);
  return responses.filter((response) => isUnknown(response)).length;
}

function isUnknown({ name, response }: { readonly name: string; readonly response: unknown }): boolean {
  return ONCE.has(name) && JSON.stringify(response).includes(UNKNOWN);
}

/** The record as it is compared with that of another run of the scenario: a text a line, so that a difference is found. */
export function comparable(record: SessionRecord, { scenario, sessionId }: PlayedSession): string[] {
  const events = scenario.isParallel ? inBranchOrder(record.events) : record.events;
  const whole = {
    events: events.map(({ seq: _seq, ...event }) => withoutUnknown(event)),
    invocations: record.invocations.map(({ id, status, segment, error }) => ({ id, status, segment, error })),
    state: record.state,
  };
  const normal = normalForm(
    JSON.parse(JSON.stringify(whole).replaceAll(sessionId, 'SESSION')) as typeof whole,
  );
  return [
    ...normal.events.map((event) => JSON.stringify(event)),
    ...normal.invocations.map((invocation) => JSON.stringify(invocation)),
    JSON.stringify(normal.state),
  ];
}

/** Tells nothing of how a call ended that may not run twice, unless it ended in a third way. */
export function withoutUnknown<T>(value: T): T {
  // The shape stays: only what a response holds is replaced.
  return JSON.parse(
    JSON.stringify(value, (_key, part: unknown) =>
      isOnceResponse(part) ? { ...part, response: 'pay or unknown' } : part,
    ),
  ) as T;
}

function isOnceResponse(part: unknown): part is { readonly name: string; readonly response: unknown } {
  if (typeof part !== 'object' || part === null || !('name' in part) || !('response' in part)) return false;
  const { name, response } = part;
  if (typeof name !== 'string' || !ONCE.has(name)) return false;
  const isDone = /"made":"(paid|marked)"/.test(JSON.stringify(response));
  return isDone || isUnknown({ name, response });
}

/** Side by side, only the order within a branch is told: each unbroken piece of branched events by branch. */
function inBranchOrder(events: readonly EventRow[]): EventRow[] {
  const blocks: EventRow[][] = [];
  for (const event of events) {
    const block = blocks.at(-1);
    const belongs = block?.[0]?.branch != null && event.branch !== null;
    if (block && belongs) block.push(event);
    else blocks.push([event]);
  }
  return blocks.flatMap((block) =>
    block.sort((a, b) => compare(a.branch ?? '', b.branch ?? '') || a.seq - b.seq),
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
