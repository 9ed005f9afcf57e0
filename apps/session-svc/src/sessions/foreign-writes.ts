import { type RewindSession, type SessionHead, type SessionKey, type WriteEvent } from '@skein/contracts';
import { type RpcClient } from '@skein/messaging';
import { type Logger, workIdsOf } from '@skein/platform';
import {
  type HeldClaim,
  rewindSession,
  sessionKeyOf,
  type StorePool,
  type UnpublishedSession,
  writeEvent,
} from '@skein/session-store';
import { type EventPublisher } from '../events/event-publisher';
import { type SessionHeads } from './session-heads';
import { tellRunner } from './tell-runner';

export interface ForeignWritesParts {
  readonly pool: StorePool;
  readonly rpc: RpcClient;
  readonly publisher: EventPublisher;
  readonly heads: Pick<SessionHeads, 'forget'>;
  readonly logger: Logger;
}

/** Writes to sessions by those who do not run them. */
export class ForeignWrites {
  /** The last write of each session that is under way. */
  readonly #turns = new Map<string, Promise<void>>();

  constructor(private readonly parts: ForeignWritesParts) {}

  /** Answered once a run under way has it too, so that its next step sees what its client knows to be stored. */
  async write(request: WriteEvent): Promise<SessionHead> {
    const { head, running } = await this.#inTurn(request, () => writeEvent(this.parts.pool, request));
    void this.parts.publisher.relay(head);
    if (running) await this.#tell(running, head);
    return { lastSeq: head.lastSeq };
  }

  async rewind(request: RewindSession): Promise<SessionHead> {
    const head = await this.#inTurn(request, () => rewindSession(this.parts.pool, request));
    void this.parts.publisher.relay(head);
    return { lastSeq: head.lastSeq };
  }

  /** One after another within a session: each that waits for its row would hold a connection the appends need. */
  async #inTurn<T>(key: SessionKey, work: () => Promise<T>): Promise<T> {
    const id = sessionKeyOf(key);
    this.parts.heads.forget(key);
    const done = (this.#turns.get(id) ?? Promise.resolve()).then(work);
    const turn = done.then(
      () => undefined,
      () => undefined,
    );
    this.#turns.set(id, turn);
    try {
      return await done;
    } finally {
      if (this.#turns.get(id) === turn) this.#turns.delete(id);
    }
  }

  async #tell(
    { runnerId, invocationId, epoch }: HeldClaim,
    { key, lastSeq }: UnpublishedSession,
  ): Promise<void> {
    const told = { runnerId, what: 'a write', ids: { ...workIdsOf(key), invocationId } };
    await tellRunner(this.parts, told, { kind: 'written', invocationId, epoch, lastSeq });
  }
}
