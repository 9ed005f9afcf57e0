import { hash } from 'node:crypto';

/** The digits of a UUID's variant, by the two bits that are left of the hash. */
const VARIANTS = '89ab';

/**
 * The id of the event a step makes: UUIDv5 with the invocation's uuid as namespace and the step key as name. A step
 * run twice makes the same event, so the store can tell a repeat from a new one.
 */
export function eventIdOf(invocationId: string, stepKey: string): string {
  return uuidV5(namespaceOf(invocationId), stepKey);
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

/** RFC 9562, section 5.5: of the hash, 4 bits are the version and 2 the variant. */
function uuidV5(namespace: Buffer, name: string): string {
  const named = Buffer.allocUnsafe(namespace.byteLength + Buffer.byteLength(name));
  namespace.copy(named);
  named.write(name, namespace.byteLength);
  const hex = hash('sha1', named);
  const variant = VARIANTS.charAt(Number.parseInt(hex.charAt(16), 16) & 0x3);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
