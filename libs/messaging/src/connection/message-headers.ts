import { headers, type MsgHdrs } from '@nats-io/transport-node';

/** Headers for the client; none at all when there are none, because an empty block still costs bytes. */
export function messageHeaders(
  ...groups: readonly (Readonly<Record<string, string>> | undefined)[]
): MsgHdrs | undefined {
  let made: MsgHdrs | undefined;
  for (const group of groups) {
    // Not set, which looks for the name twice: no two groups share one.
    for (const name in group) (made ??= headers()).append(name, group[name] ?? '');
  }
  return made;
}
