import { hash } from 'node:crypto';

/**
 * The id of the event a step makes: UUIDv5 with the invocation's uuid as namespace and the step key as name. A step
 * run twice makes the same event, so the store can tell a repeat from a new one.
 */
export function eventIdOf(invocationId: string, stepKey: string): string {
  const namespace = Buffer.from(invocationId.replace(/^e-/, '').replaceAll('-', ''), 'hex');
  return uuidV5(namespace, stepKey);
}

/** The identity of one call of a turn: on every attempt the same, on no other call. */
export function dispatchIdOf(invocationId: string, stepKey: string, index: number): string {
  return `d-${hash('sha256', `${invocationId}\n${stepKey}\n${index}`).slice(0, 32)}`;
}

/** RFC 9562, section 5.5. */
function uuidV5(namespace: Buffer, name: string): string {
  const bytes = hash('sha1', Buffer.concat([namespace, Buffer.from(name)]), 'buffer');
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
