import { hash } from 'node:crypto';

/** The digits of a UUID's variant, by the two bits that are left of the hash. */
const VARIANTS = '89ab';
/** How much of a UUIDv7 is its time, in milliseconds since 1970. */
const TIME_BYTES = 6;

/**
 * The id of the event a step makes, on every attempt the same, so the store can tell a repeat from a new one: a UUIDv8 that
 * begins, as the invocation's own UUIDv7 does, with when the invocation was made, and goes on with a hash of the invocation's
 * uuid and the step key. So what is stored at one time lies together in the index of ids (ADR 43).
 */
export function eventIdOf(invocationId: string, stepKey: string): string {
  return uuidV8(namespaceOf(invocationId), stepKey);
}

/** Of more runs than a process mostly has under way: each names several steps. */
const MAX_NAMESPACES = 500;
const namespaces = new Map<string, Buffer>();

function namespaceOf(invocationId: string): Buffer {
  const known = namespaces.get(invocationId);
  if (known) return known;
  if (namespaces.size >= MAX_NAMESPACES) namespaces.clear();
  const namespace = Buffer.from(invocationId.replace(/^e-/, '').replaceAll('-', ''), 'hex');
  namespaces.set(invocationId, namespace);
  return namespace;
}

/** The identity of one call of a turn: on every attempt the same, on no other call. */
export function dispatchIdOf(invocationId: string, stepKey: string, index: number): string {
  return `d-${hash('sha256', `${invocationId}\n${stepKey}\n${index}`).slice(0, 32)}`;
}

/** RFC 9562, section 5.8, which leaves all but the version and the variant to who makes it: 48 bits of time, 74 of the hash. */
function uuidV8(namespace: Buffer, name: string): string {
  const named = Buffer.allocUnsafe(namespace.byteLength + Buffer.byteLength(name));
  namespace.copy(named);
  named.write(name, namespace.byteLength);
  const hex = hash('sha1', named);
  const time = namespace.toString('hex', 0, TIME_BYTES).padEnd(TIME_BYTES * 2, '0');
  const variant = VARIANTS.charAt(Number.parseInt(hex.charAt(16), 16) & 0x3);
  return `${time.slice(0, 8)}-${time.slice(8)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
