import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type Append, type Dispatch, type Result, type Run, skeletonEvent } from './messages';

/** The skeleton's engine: says what a model would, by rote. */
export function startRunner(nats: NatsConnection): void {
  const js = jetstream(nats);
  const running = new Map<string, Run>();

  const append = async (asked: Append): Promise<void> => {
    const answer = await nats.request('rpc.append', JSON.stringify(asked), { timeout: 10_000 });
    if (answer.string() !== '{}') throw new Error(`the append of ${asked.invocationId} was fenced`);
  };

  const begin = async (run: Run): Promise<void> => {
    const { invocationId, sessionId, epoch, text } = run;
    running.set(invocationId, run);
    const dispatch: Dispatch = { invocationId, callId: `call-${invocationId}`, args: { a: 1, b: 2 } };
    const functionCall = { id: dispatch.callId, name: 'add', args: dispatch.args };
    const events = [
      skeletonEvent(invocationId, 'user', { text }),
      skeletonEvent(invocationId, 'root', { functionCall }),
    ];
    await append({ sessionId, invocationId, epoch, appendNumber: 1, events, final: false });
    await js.publish('tools.default', JSON.stringify(dispatch), { msgID: dispatch.callId });
  };

  const end = async ({ invocationId, callId, result }: Result): Promise<void> => {
    const run = running.get(invocationId);
    if (!run) return; // It came again: the turn has had it.
    running.delete(invocationId);
    const functionResponse = { id: callId, name: 'add', response: result };
    const events = [
      skeletonEvent(invocationId, 'root', { functionResponse }),
      skeletonEvent(invocationId, 'root', { text: 'The answer is 3.' }, true),
    ];
    const { sessionId, epoch } = run;
    await append({ sessionId, invocationId, epoch, appendNumber: 2, events, final: true });
  };

  nats.subscribe('runner.run', { callback: (_error, message) => void begin(message.json()) });
  nats.subscribe('runner.result', {
    callback: (_error, message) => void end(message.json()).then(() => message.respond('{}')),
  });
}
