import { type Event } from '@skein/contracts';
import { separateTemp } from '@skein/engine';

/** The columns of `adk_events` that hold an event; keys as the SQL of append and of the reads names them. */
export interface EventRow {
  readonly id: string;
  readonly invocation_id: string;
  readonly author: string;
  readonly seconds: number;
  readonly actions: unknown;
  readonly extra: Readonly<Record<string, unknown>> | null;
  readonly [column: string]: unknown;
}

/** Event fields with a column of their own, beside those every event has. */
const columns = {
  branch: 'branch',
  content: 'content',
  turnComplete: 'turn_complete',
  errorCode: 'error_code',
  errorMessage: 'error_message',
  interrupted: 'interrupted',
  customMetadata: 'custom_metadata',
  usageMetadata: 'usage_metadata',
  citationMetadata: 'citation_metadata',
  groundingMetadata: 'grounding_metadata',
  longRunningToolIds: 'long_running_tool_ids',
  partial: 'partial',
} as const;

const COLUMN_FIELDS = Object.entries(columns);
const COLUMN_OF = new Map<string, string>(COLUMN_FIELDS);
/** Not in `others`: every event has them, or `EventParts` names them. */
const PLACED_FIELDS = new Set(['id', 'invocationId', 'author', 'timestamp', 'actions', 'content']);

/** What an event stores as: equal to the event in every field, unknown ones included, but for `temp:` state. */
export function toEventRow(event: Event): EventRow {
  const { seconds, actions, content, others } = toEventParts(event);
  return {
    id: event.id,
    invocation_id: event.invocationId,
    author: event.author,
    ...{ seconds, actions, content, extra: null },
    ...others,
  };
}

/** An event in the columns nearly every event has, and in `others` by name those that few have. */
export interface EventParts {
  readonly seconds: number;
  readonly actions: Event['actions'];
  readonly content: unknown;
  readonly others: Readonly<Record<string, unknown>> | null;
}

/** As `toEventRow`. In one pass: every event that is stored comes through here. */
export function toEventParts(event: Event): EventParts {
  const seconds = storableSeconds(event.timestamp);
  const extra: [string, unknown][] = seconds === event.timestamp ? [] : [['timestamp', event.timestamp]];
  let others: Record<string, unknown> | null = null;
  for (const field of Object.keys(event)) {
    const value = event[field];
    if (value === undefined || PLACED_FIELDS.has(field)) continue;
    const column = COLUMN_OF.get(field);
    if (column === undefined) extra.push([field, value]);
    else (others ??= {})[column] = value;
  }
  if (extra.length > 0) (others ??= {}).extra = Object.fromEntries(extra);
  return { seconds, actions: withoutTemp(event).actions, content: event.content ?? null, others };
}

/** The event a row was made of. Keys stand as jsonb orders them, so that its JSON is that of the live event. */
export function fromEventRow(row: EventRow): Event {
  const fields: [string, unknown][] = [
    ['id', row.id],
    ['invocationId', row.invocation_id],
    ['author', row.author],
    ['timestamp', row.seconds],
    ['actions', row.actions],
    ...COLUMN_FIELDS.map(([field, column]): [string, unknown] => [field, row[column] ?? undefined]),
    ...Object.entries(row.extra ?? {}),
  ];
  const present = fields.filter(([, value]) => value !== undefined);
  // The shape was checked by the schema of the unit the event came in with.
  return Object.fromEntries(present.sort(([one], [other]) => jsonbOrder(one, other))) as Event;
}

/** The event as it is stored and shown: `temp:` keys lived in the run alone. */
export function withoutTemp(event: Event): Event {
  const { stored } = separateTemp(event.actions.stateDelta);
  if (stored === event.actions.stateDelta) return event;
  return { ...event, actions: { ...event.actions, stateDelta: { ...stored } } };
}

const LATEST_SECONDS = 253_402_300_799;

/** timestamptz keeps microseconds; what it cannot hold exactly goes to `extra` and the column gets the nearest. */
function storableSeconds(seconds: number): number {
  return Math.round(Math.min(Math.max(seconds, 0), LATEST_SECONDS) * 1e6) / 1e6;
}

/** By length, then by bytes. */
function jsonbOrder(one: string, other: string): number {
  return (
    Buffer.byteLength(one) - Buffer.byteLength(other) || Buffer.compare(Buffer.from(one), Buffer.from(other))
  );
}
