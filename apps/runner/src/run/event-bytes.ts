import { type Event } from '@skein/contracts';

/** What an object, a list or a field costs beside its text: about what V8 takes. */
const OBJECT_BYTES = 48;
const FIELD_BYTES = 16;

/** Events are not changed once they are stored, so each is measured once. */
const measured = new WeakMap<Event, number>();

/** About how much memory an event takes, in bytes; never 0. */
export function eventBytes(event: Event): number {
  const known = measured.get(event);
  if (known !== undefined) return known;
  const bytes = bytesOf(event);
  measured.set(event, bytes);
  return bytes;
}

function bytesOf(value: unknown): number {
  if (typeof value === 'string') return FIELD_BYTES + Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return FIELD_BYTES;
  let bytes = OBJECT_BYTES;
  // Names are shared by all events that have them; those of state and arguments are not, but seldom are long.
  // Its own fields, of any type: no list is made of them.
  for (const name in value)
    bytes += FIELD_BYTES + bytesOf((value as Readonly<Record<string, unknown>>)[name]);
  return bytes;
}
