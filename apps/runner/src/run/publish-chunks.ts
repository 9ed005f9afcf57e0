import { type Event, type Handover, subjects } from '@skein/contracts';
import { type MessagingConnection, publishCore } from '@skein/messaging';
import { type Logger } from '@skein/platform';
import { type AppendPipeline } from '@skein/session-client';

const CHUNKS_PER_TURN = 32;

interface ChunkPorts {
  readonly connection: MessagingConnection;
  readonly logger: Logger;
}

/**
 * Publishes streamed pieces as they come. The engine stored what led to them; `afterSeq` tells readers up to where.
 * A piece may be lost, since the whole event follows: that must not end the run.
 */
export function publishChunks(
  handover: Handover,
  pipeline: AppendPipeline,
  { connection, logger }: ChunkPorts,
): (event: Event) => Promise<void> {
  const counts = new Map<string, number>();
  const subject = subjects.partial(handover);
  return async (event) => {
    const n = counts.get(event.id) ?? 0;
    counts.set(event.id, n + 1);
    // A model that streams without a pause would keep heartbeats and hand-overs waiting.
    if (n % CHUNKS_PER_TURN === CHUNKS_PER_TURN - 1) await nextTurn();
    const { epoch, segment } = handover;
    const frame = { kind: 'chunk', epoch, segment, n, afterSeq: pipeline.lastSeq, event };
    try {
      await publishCore(connection, subject, frame);
    } catch (error) {
      logger.warn({ eventId: event.id, n, err: error }, 'chunk left out');
    }
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
