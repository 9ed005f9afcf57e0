import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Dispatch, Result } from './messages';

/** The skeleton's tool: acknowledged once its result is stored. */
export async function startToolWorker(nats: NatsConnection): Promise<void> {
  const js = jetstream(nats);
  const calls = await js.consumers.get('TOOLS', 'skeleton');
  await calls.consume({
    max_messages: 64,
    callback: (message) => {
      const { invocationId, callId, args } = message.json<Dispatch>();
      const result: Result = { invocationId, callId, result: { sum: args.a + args.b } };
      void js
        .publish('results.default', JSON.stringify(result), { msgID: `result-${callId}` })
        .then(() => message.ack());
    },
  });
}
