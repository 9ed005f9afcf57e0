import { type Event } from '@skein/contracts';

/** What an object, a list or a field costs beside its text: about what V8 takes. */
const OBJECT_BYTES = 48;
const FIELD_BYTES = 16;

/** About how much memory an event takes, in bytes; never 0. Walked at each asking: a log is measured as it grows. */
export function eventBytes(event: Event): number {
  return bytesOf(event);
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
