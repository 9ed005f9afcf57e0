import { type Event, type Handover, subjects } from '@skein/contracts';
import { type MessagingConnection, publishCore } from '@skein/messaging';
import { type AppendPipeline } from '@skein/session-client';

/** Publishes streamed pieces as they come. The engine stored what led to them; `afterSeq` tells readers up to where. */
export function publishChunks(
  handover: Handover,
  pipeline: AppendPipeline,
  connection: MessagingConnection,
): (event: Event) => Promise<void> {
  const counts = new Map<string, number>();
  const subject = subjects.partial(handover);
  return async (event) => {
    const n = counts.get(event.id) ?? 0;
    counts.set(event.id, n + 1);
    await publishCore(connection, subject, {
      kind: 'chunk',
      epoch: handover.epoch,
      n,
      afterSeq: pipeline.lastSeq,
      event,
    });
  };
}
