import {
  type RewindSession,
  type SessionHead,
  subjects,
  workReplySchema,
  type WriteEvent,
} from '@skein/contracts';
import { type RpcClient } from '@skein/messaging';
import { type Logger } from '@skein/platform';
import { type HeldClaim, rewindSession, type StorePool, writeEvent } from '@skein/session-store';
import { type EventPublisher } from './event-publisher';

export interface ForeignWritesParts {
  readonly pool: StorePool;
  readonly rpc: RpcClient;
  readonly publisher: EventPublisher;
  readonly logger: Logger;
}

/** Longer than a runner takes to read one event; it sees the write in its next answer anyway. */
const TELL_MS = 500;

/** Writes to sessions by those who do not run them. */
export class ForeignWrites {
  constructor(private readonly parts: ForeignWritesParts) {}

  /** Answered once a run under way has it too, so that its next step sees what its client knows to be stored. */
  async write(request: WriteEvent): Promise<SessionHead> {
    const { head, running } = await writeEvent(this.parts.pool, request);
    void this.parts.publisher.relay(head);
    if (running) await this.#tell(running, head.lastSeq);
    return { lastSeq: head.lastSeq };
  }

  async rewind(request: RewindSession): Promise<SessionHead> {
    const head = await rewindSession(this.parts.pool, request);
    void this.parts.publisher.relay(head);
    return { lastSeq: head.lastSeq };
  }

  async #tell({ runnerId, invocationId, epoch }: HeldClaim, lastSeq: number): Promise<void> {
    try {
      const message = { kind: 'written', invocationId, epoch, lastSeq };
      await this.parts.rpc.request(subjects.work(runnerId), workReplySchema, message, { timeoutMs: TELL_MS });
    } catch (error) {
      this.parts.logger.info({ runnerId, invocationId, err: error }, 'runner was not told of a write');
    }
  }
}
