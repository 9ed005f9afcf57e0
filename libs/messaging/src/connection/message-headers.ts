import { headers, type MsgHdrs } from '@nats-io/transport-node';

/** Headers for the client; none at all when there are none, because an empty block still costs bytes. */
export function messageHeaders(
  ...groups: readonly (Readonly<Record<string, string>> | undefined)[]
): MsgHdrs | undefined {
  const entries = groups.flatMap((group) => Object.entries(group ?? {}));
  if (entries.length === 0) return undefined;
  const made = headers();
  for (const [name, value] of entries) made.set(name, value);
  return made;
}
