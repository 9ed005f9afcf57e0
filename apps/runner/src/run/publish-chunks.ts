import { type Event, type Handover, type PartialFrame, subjects } from '@skein/contracts';
import { type MessagingConnection, Paced, publishCore, publishInline } from '@skein/messaging';
import { type Logger, workIdsOf } from '@skein/platform';
import { type AppendPipeline } from '@skein/session-client';

const CHUNKS_PER_TURN = 32;
/** Twenty a second of one call. */
const PROGRESS_MS = 50;

type Chunk = Extract<PartialFrame, { kind: 'chunk' }>;

interface ChunkPorts {
  readonly connection: MessagingConnection;
  readonly logger: Logger;
}

export interface ChunkPublisher {
  /** A promise where the next piece has to wait for it: of one that is large, and now and then. */
  publish(event: Event): Promise<void> | undefined;
  /** What still waits for its turn is not sent any more. */
  close(): void;
}

/**
 * Publishes streamed pieces as they come, what a tool tells of its progress no faster than a person can read it. The engine stored what led to them; `afterSeq` tells readers up to where.
 * A piece may be lost, since the whole event follows, and goes behind it: that must not end the run.
 */
export function publishChunks(
  handover: Handover,
  pipeline: Pick<AppendPipeline, 'lastSeq' | 'followSent'>,
  { connection, logger }: ChunkPorts,
): ChunkPublisher {
  const counts = new Map<string, number>();
  const subject = subjects.partial(handover);
  const send = (frame: Chunk): Promise<void> | undefined => {
    const leftOut = (error: unknown): void =>
      logger.warn(
        { ...workIdsOf(handover), eventId: frame.event.id, n: frame.n, err: error },
        'chunk left out',
      );
    try {
      if (publishInline(connection, subject, frame)) return undefined;
    } catch (error) {
      leftOut(error);
      return undefined;
    }
    return publishCore(connection, subject, frame).catch(leftOut);
  };
  const publish = (event: Event): Promise<void> | undefined => {
    pipeline.followSent();
    const n = counts.get(event.id) ?? 0;
    counts.set(event.id, n + 1);
    const { epoch, segment } = handover;
    const sent = send({ kind: 'chunk', epoch, segment, n, afterSeq: pipeline.lastSeq, event });
    if (n % CHUNKS_PER_TURN !== CHUNKS_PER_TURN - 1) return sent;
    // A model that streams without a pause would keep heartbeats and hand-overs waiting.
    return Promise.resolve(sent).then(nextTurn);
  };
  const paced = new Map<string, Paced<Event>>();
  return {
    publish: (event) => {
      const callId = progressOf(event);
      if (callId === undefined) return publish(event);
      const pace = paced.get(callId) ?? new Paced<Event>(PROGRESS_MS, (next) => void publish(next));
      paced.set(callId, pace);
      pace.offer(event);
      return undefined;
    },
    close: () => {
      for (const pace of paced.values()) pace.close();
    },
  };
}

/** The call an event tells the progress of. */
function progressOf({ content }: Event): string | undefined {
  const response = content?.parts?.[0]?.functionResponse;
  return response?.willContinue === true ? response.id : undefined;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
