import { type Msg } from '@nats-io/transport-node';

/**
 * Whether JetStream sent it here. It delivers what somebody pulls to any subject that one names, past all that one may not
 * publish to; nothing that is heard or asked over core NATS comes that way.
 */
export function isDeliveredByStream({ reply }: Msg): boolean {
  return reply?.startsWith('$JS.ACK.') === true;
}
