import { type Event, eventSchema } from '@skein/contracts';
import { z } from 'zod';
import { MAX_EVENT_BYTES, RowProblem, type SourceEvent, toSeconds } from '../session-source';
import { eventShape } from './event-shape';
import { parseSourceObject } from './source-json';
import { toModelKeys } from './to-model-keys';

const MAX_ID_BYTES = 256;
// eslint-disable-next-line no-control-regex -- control characters are exactly what is refused
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f]/;

export interface ToEventOptions {
  /** Replace what cannot be stored in texts, instead of refusing it. */
  readonly repairs: boolean;
}

/**
 * The event a row holds, as Skein stores events: camelCase keys of models, float seconds, standard base64. What authors
 * and users put in, and fields Skein does not know, stay as they are. A RowProblem tells why it cannot be one.
 */
export function toEvent(row: SourceEvent, { repairs }: ToEventOptions): Event {
  assertId(row.id, 'id');
  // Some writers leave it out of events that no run made.
  if (row.invocationId !== '') assertId(row.invocationId, 'invocation id');
  if (row.bytes > MAX_EVENT_BYTES) {
    throw new RowProblem(`is of ${row.bytes} bytes, more than ${MAX_EVENT_BYTES}`);
  }
  if (row.data === undefined) throw new RowProblem('has no event_data');
  const source = parseSourceObject(row.data, { repairs });
  // The shape of an object is an object.
  const { actions = {}, ...fields } = toModelKeys(source, eventShape) as Record<string, unknown>;
  const timestamp = typeof fields.timestamp === 'number' ? toSeconds(fields.timestamp) : row.seconds;
  if (!Number.isFinite(timestamp)) throw new RowProblem('has no time');
  const event = {
    ...fields,
    // The columns, as ADK itself reads them.
    id: row.id,
    invocationId: row.invocationId,
    timestamp,
    actions: withCompaction(actions, fields),
  };
  const checked = eventSchema.safeParse(event);
  if (!checked.success)
    throw new RowProblem(`is no event: ${z.prettifyError(checked.error).replaceAll('\n', ' ')}`);
  // As it came, with the schema's defaults: what the schema copies has no key called __proto__.
  return { ...event, actions: { ...checked.data.actions, ...(event.actions as object) } } as Event;
}

/** adk-js has a summary as an event of its own kind, with times in milliseconds; adk-python and Skein as an action. */
function withCompaction(actions: unknown, fields: Readonly<Record<string, unknown>>): unknown {
  const { isCompacted, startTime, endTime, compactedContent } = fields;
  if (isCompacted !== true || typeof startTime !== 'number' || typeof endTime !== 'number') return actions;
  const compaction = {
    startTimestamp: toSeconds(startTime),
    endTimestamp: toSeconds(endTime),
    compactedContent,
  };
  return { ...(actions as object), compaction };
}

function assertId(id: string, what: string): void {
  if (id === '') throw new RowProblem(`has an empty ${what}`);
  if (Buffer.byteLength(id) > MAX_ID_BYTES) {
    throw new RowProblem(`has an ${what} of more than ${MAX_ID_BYTES} bytes`);
  }
  if (!id.isWellFormed() || CONTROL_CHARACTER.test(id)) {
    throw new RowProblem(`has an ${what} with control characters or half a surrogate pair`);
  }
}
