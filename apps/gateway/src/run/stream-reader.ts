import {
  AdkError,
  type EventPage,
  type InvocationError,
  type InvocationState,
  type InvocationStatus,
  type PartialFrame,
} from '@skein/contracts';
import type { SessionApi } from '../session-api';
import type { FeedMessage } from '../session-feed';
import type { Followed } from './followed';
import type { Inbox } from './inbox';
import type { LeaveSignal } from './leave-signal';
import { type Shown, StreamOrder } from './stream-order';

/** How a run came to rest. */
export interface RunOutcome {
  readonly status: InvocationStatus;
  readonly error?: InvocationError | undefined;
}

/** An open stream reads the head again after this much silence: a lost message delays a client, and no more. */
const SILENCE_MS = 1000;
/** What a message told of but did not bring is usually under way; after this long it is read from the store. */
const GRACE_MS = 50;

export interface StreamReaderOptions {
  readonly followed: Followed;
  /** Events above `afterSeq` may be stored already: the store is read first. */
  readonly mustReadHead: boolean;
}

/** Reads one stream: what the inbox heard, in order, and from the store what it did not hear. */
export class StreamReader {
  readonly #order: StreamOrder;
  readonly #followed: Followed;
  #outcome: RunOutcome | undefined;
  #mustReadHead: boolean;

  constructor(
    private readonly api: SessionApi,
    private readonly inbox: Inbox,
    private readonly signal: LeaveSignal,
    { followed, mustReadHead }: StreamReaderOptions,
  ) {
    this.#order = new StreamOrder(followed);
    this.#followed = followed;
    this.#mustReadHead = mustReadHead;
  }

  /**
   * Everything to show, in order, what is there at a time together; returns when what is followed came to rest and all of it
   * was yielded. However it ends, `leave` is called then.
   */
  async *read(leave: () => void): AsyncGenerator<readonly Shown[], RunOutcome> {
    let readHeadAt = performance.now() + SILENCE_MS;
    try {
      for (;;) {
        if (this.#outcome !== undefined && !this.#order.isBehind) return this.#outcome;
        const waitMs = this.#mustReadHead ? 0 : readHeadAt - performance.now();
        const heard = waitMs > 0 ? await this.inbox.next(waitMs) : [];
        this.signal.throwIfAborted();
        if (heard.length === 0) yield* this.#readHead();
        else yield this.#takeAll(heard);
        // Behind, the wait is not begun anew by each message: a flood of chunks would put the read off for ever.
        const now = performance.now();
        const isBehind = heard.length > 0 && this.#order.isBehind;
        readHeadAt = isBehind ? Math.min(readHeadAt, now + GRACE_MS) : now + SILENCE_MS;
      }
    } finally {
      leave();
    }
  }

  #takeAll(heard: readonly FeedMessage[]): Shown[] {
    const shown: Shown[] = [];
    for (const message of heard) {
      // What comes behind the end is no part of it.
      if (this.#outcome !== undefined && !this.#order.isBehind) break;
      shown.push(...this.#take(message));
    }
    return shown;
  }

  #take(received: FeedMessage): Shown[] {
    switch (received.kind) {
      case 'missed':
        this.#mustReadHead = true;
        return [];
      case 'event':
        // Events of a deleted session of the same id count from 1 too, and would be taken for this one's.
        return received.message.sessionUid === this.#followed.sessionUid
          ? this.#order.takeEvent(received.message)
          : [];
      case 'partial':
        if (received.frame.kind === 'chunk') return this.#order.takeChunk(received.frame);
        this.#noteEnd(received.frame);
        return [];
    }
  }

  #noteEnd(frame: PartialFrame & { readonly kind: 'end' }): void {
    const { invocationId, segment } = this.#followed;
    if (frame.invocationId !== invocationId) return;
    // The end of a segment need not be that of its invocation: an input that came early begins the next one.
    if (segment === undefined) this.#mustReadHead = true;
    else if (frame.segment === segment) this.#end(frame, frame.afterSeq);
  }

  #end({ status, error }: RunOutcome, atSeq: number): void {
    this.#order.endAt(atSeq);
    this.#outcome = { status, error };
  }

  async *#readHead(): AsyncGenerator<readonly Shown[], void> {
    this.#mustReadHead = false;
    try {
      const state = await this.#state();
      if (state !== undefined) {
        this.#order.expect(state.lastSeq);
        if (isAtRest(state.status)) this.#end(state, state.lastSeq);
      }
      // A whole session has no state of its own to ask for: its page tells its head.
      let mustReadPage = state === undefined;
      while (mustReadPage || this.#order.isBehind) {
        mustReadPage = false;
        const before = this.#order.position;
        yield this.#takePage(await this.#page(before));
        // The store has no more than what was read: the next read of the head goes on from there.
        if (this.#order.position === before) return;
      }
    } catch (error) {
      // Away for a while: the run is stored and goes on, so the stream stays open and asks again.
      if (!AdkError.isInstance(error) || (error.kind !== 'unavailable' && error.kind !== 'deadline'))
        throw error;
    }
  }

  async #state(): Promise<InvocationState | undefined> {
    const { key, invocationId, segment } = this.#followed;
    if (invocationId === undefined) return undefined;
    return orDeleted(this.api.invocation({ ...key, invocationId, segment }));
  }

  async #page(afterSeq: number): Promise<EventPage> {
    const page = await orDeleted(this.api.events({ ...this.#followed.key, afterSeq }));
    this.signal.throwIfAborted();
    if (page.sessionUid !== this.#followed.sessionUid) throw deleted();
    return page;
  }

  #takePage({ lastSeq, events }: EventPage): Shown[] {
    this.#order.expect(lastSeq);
    return events.flatMap((stored) => this.#order.takeEvent(stored));
  }
}

/** What is followed was there when its stream was opened, and goes only with its session. */
async function orDeleted<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw AdkError.isInstance(error) && error.kind === 'not_found' ? deleted() : error;
  }
}

function deleted(): AdkError {
  return new AdkError('not_found', 'session.deleted', 'Session was deleted while it was followed');
}

function isAtRest(status: InvocationStatus): boolean {
  return status !== 'queued' && status !== 'running';
}
