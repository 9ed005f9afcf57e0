import { errors, type NatsConnection } from '@nats-io/transport-node';
import { type NatsGrant } from '@skein/contracts';

/** What the server refused a user of all this, sent or listened to. The connection is closed then. */
export async function refusedOf(
  connection: NatsConnection,
  operation: keyof NatsGrant,
  tried: readonly string[],
): Promise<string[]> {
  const violations: string[] = [];
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type !== 'error') continue;
      const { error } = status;
      if (error instanceof errors.PermissionViolationError) violations.push(error.subject);
    }
  })();
  for (const subject of tried) {
    if (operation === 'publish') connection.publish(subject, '');
    else connection.subscribe(subject, { callback: () => undefined });
  }
  await connection.flush();
  await connection.flush();
  await connection.close();
  return violations;
}
