import { type Handover, type Session, type StoredEvent } from '@skein/contracts';
import { insertEvent } from '@skein/engine';
import { type SessionRpc } from '@skein/session-client';

export interface ForeignEventsParams {
  readonly handover: Handover;
  /** As it runs; its log gets them at their place. */
  readonly session: Session;
  /** What was stored of the segment before this runner had it, in order. */
  readonly stored: readonly StoredEvent[];
  readonly rpc: Pick<SessionRpc, 'events'>;
}

/**
 * Brings into a running session what others write to it meanwhile (docs/adr/0004). Each event goes where the store has it,
 * so the log stays what a reader would load; of a key that the run set after it, the run's value stays, as in the store.
 * Events of others are those without a step of this invocation.
 */
export class ForeignEvents {
  /** Up to here the log in the store was looked through. */
  #readSeq: number;
  /** Those whose place has not come: a run that is taken over has to come past it first. In order. */
  #waiting: StoredEvent[];
  #reading: Promise<void> = Promise.resolve();

  constructor(private readonly params: ForeignEventsParams) {
    this.#readSeq = params.handover.lastSeq;
    this.#waiting = params.stored.filter((stored) => this.#isForeign(stored));
  }

  /** Takes in what the store holds up to `untilSeq`; the run's next step sees it. */
  load(untilSeq: number): Promise<void> {
    const loaded = this.#reading.then(() => this.#read(untilSeq));
    // Whoever asked is told; the next one begins where this one failed.
    this.#reading = loaded.catch(() => undefined);
    return loaded;
  }

  /** Takes in those whose place has come; to be called whenever the run's own log has grown. */
  settle(): void {
    const { events } = this.params.session;
    for (let [next] = this.#waiting; next && next.seq <= events.length + 1; [next] = this.#waiting) {
      insertEvent(this.params.session, next.seq - 1, next.event);
      this.#waiting.shift();
    }
  }

  async #read(untilSeq: number): Promise<void> {
    const { appName, userId, sessionId } = this.params.handover;
    while (this.#readSeq < untilSeq) {
      const range = { appName, userId, sessionId, afterSeq: this.#readSeq, untilSeq };
      const { events } = await this.params.rpc.events(range);
      const last = events.at(-1);
      if (!last) return; // The session was deleted.
      this.#waiting.push(...events.filter((stored) => this.#isForeign(stored)));
      this.#readSeq = last.seq;
      this.settle();
    }
  }

  /** Also the end of another invocation of the session, one that waited for its turn or for somebody. */
  #isForeign({ stepKey, event }: StoredEvent): boolean {
    return stepKey === undefined || event.invocationId !== this.params.handover.invocationId;
  }
}
