import { isEvent, isRecord, type Json, records } from './json';
import { type Played } from './play';

/**
 * What was played, without what differs from run to run:
 * - a call's id is the name of its tool and which call of that tool it was; an invocation's is its number;
 * - an event's id says only whether it is that of the event before, for no two libraries draw the same;
 * - a time says only whether it counts seconds or milliseconds, and one that is written out says nothing.
 */
export function normalForm(played: Played): Json {
  const names = namesOf(played as unknown as Json);
  return normal(played as unknown as Json, names);
}

function normal(value: Json, names: ReadonlyMap<string, string>): Json {
  if (Array.isArray(value)) {
    return value.map((item, index) => withoutOwnId(normal(item, names), item, value[index - 1]));
  }
  if (isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, held]) => [
        named(key, names),
        key === 'timestamp' && typeof held === 'number' ? unitOf(held) : normal(held, names),
      ]),
    );
  }
  return typeof value === 'string' ? named(value, names).replace(MOMENTS, '<moment>') : value;
}

const MOMENTS = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** A text with each id in it by its name. */
function named(text: string, names: ReadonlyMap<string, string>): string {
  const found = names.get(text);
  if (found !== undefined) return found;
  return [...names].reduce((kept, [id, name]) => kept.replaceAll(id, name), text);
}

/** An event in a list, by its id that of the event before or another. */
function withoutOwnId(normalized: Json, event: Json, before: Json | undefined): Json {
  if (!isRecord(normalized) || !isEvent(event)) return normalized;
  const isSame = isEvent(before) && before.id === event.id;
  return { ...normalized, id: isSame ? 'as before' : 'new' };
}

function unitOf(timestamp: number): string {
  return timestamp > 100_000_000_000 ? 'milliseconds' : 'seconds';
}

/** The names of ids, in the order in which they are met. */
function namesOf(played: Json): Map<string, string> {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const name = (id: Json | undefined, kind: string): void => {
    if (typeof id !== 'string' || names.has(id)) return;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    names.set(id, `${kind} ${count}`);
  };
  // Invocations are counted by what the user said, whatever came of it.
  const stored = isRecord(played) ? (played.stored ?? null) : null;
  for (const record of records([stored, played])) {
    if (isEvent(record)) name(record.invocationId, 'invocation');
    const { functionCall: call } = record;
    if (isRecord(call)) name(call.id, `call of ${String(call.name)}`);
  }
  return names;
}
