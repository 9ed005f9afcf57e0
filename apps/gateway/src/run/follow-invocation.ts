import {
  AdkError,
  type InvocationError,
  type InvocationStatus,
  type SessionKey,
  type Submit,
  type Submitted,
} from '@skein/contracts';
import type { SessionApi } from '../session-api';
import type { FeedMessage, SessionFeed } from '../session-feed';
import { Inbox } from './inbox';
import { InvocationOrder, type Shown } from './invocation-order';

/** How a run came to rest. */
export interface RunOutcome {
  readonly status: InvocationStatus;
  readonly error?: InvocationError | undefined;
}

export interface FollowedRun {
  readonly submitted: Submitted;
  /** Everything to show, in order; returns when the run came to rest and all of it was yielded. */
  readonly shown: AsyncGenerator<Shown, RunOutcome>;
}

/** An open stream reads the head again after this much silence: a lost message delays a client, and no more. */
const SILENCE_MS = 1000;
/** What a message told of but did not bring is usually under way; after this long it is read from the store. */
const GRACE_MS = 50;

/**
 * Submits an input and follows the segment it begins until that is over. Listens before it submits, so no event falls between.
 * Abort `signal` when nobody reads any more; the run itself goes on.
 */
export async function followInvocation(
  ports: { readonly api: SessionApi; readonly feed: SessionFeed },
  input: Submit,
  signal: AbortSignal,
): Promise<FollowedRun> {
  const inbox = new Inbox();
  const subscription = ports.feed.open(input, (message) => inbox.push(message));
  const close = () => {
    subscription.close();
    inbox.close();
  };
  signal.addEventListener('abort', close, { once: true });
  // Aborted before this: the event is over, and nobody else would close.
  if (signal.aborted) close();
  try {
    const submitted = await ports.api.submit(input);
    return { submitted, shown: new RunReader(ports.api, input, submitted, inbox, signal).read(close) };
  } catch (error) {
    close();
    throw error;
  }
}

class RunReader {
  readonly #order: InvocationOrder;
  #outcome: RunOutcome | undefined;
  #mustReadHead = false;

  constructor(
    private readonly api: SessionApi,
    private readonly key: SessionKey,
    private readonly submitted: Submitted,
    private readonly inbox: Inbox,
    private readonly signal: AbortSignal,
  ) {
    this.#order = new InvocationOrder(submitted);
  }

  async *read(close: () => void): AsyncGenerator<Shown, RunOutcome> {
    try {
      let readHeadAt = performance.now() + SILENCE_MS;
      for (;;) {
        if (this.#outcome !== undefined && !this.#order.isBehind) return this.#outcome;
        const waitMs = this.#mustReadHead ? 0 : readHeadAt - performance.now();
        const message = waitMs > 0 ? await this.inbox.next(waitMs) : undefined;
        this.signal.throwIfAborted();
        if (message === undefined) yield* this.#readHead();
        else yield* this.#take(message);
        // Behind, the wait is not begun anew by each message: a flood of chunks would put the read off for ever.
        const now = performance.now();
        readHeadAt =
          message !== undefined && this.#order.isBehind
            ? Math.min(readHeadAt, now + GRACE_MS)
            : now + SILENCE_MS;
      }
    } finally {
      close();
    }
  }

  #take(received: FeedMessage): Shown[] {
    if (received.kind === 'missed') {
      this.#mustReadHead = true;
      return [];
    }
    if (received.kind === 'event') {
      // Events of a deleted session of the same id count from 1 too, and would be taken for this one's.
      return received.message.sessionUid === this.submitted.sessionUid
        ? this.#order.takeEvent(received.message)
        : [];
    }
    const { frame } = received;
    if (frame.kind === 'chunk') return this.#order.takeChunk(frame);
    const { invocationId, segment } = this.submitted;
    if (frame.invocationId !== invocationId || frame.segment !== segment) return [];
    this.#order.endAt(frame.afterSeq);
    this.#outcome = { status: frame.status, error: frame.error };
    return [];
  }

  async *#readHead(): AsyncGenerator<Shown, void> {
    this.#mustReadHead = false;
    try {
      const { invocationId, segment } = this.submitted;
      const state = await this.api.invocation({ ...keyOf(this.key), invocationId, segment });
      this.#order.expect(state.lastSeq);
      if (isAtRest(state.status)) {
        this.#order.endAt(state.lastSeq);
        this.#outcome = { status: state.status, error: state.error };
      }
      while (this.#order.isBehind) {
        const shown = await this.#readPage();
        if (shown === undefined) return;
        yield* shown;
      }
    } catch (error) {
      // Away for a while: the run is stored and goes on, so the stream stays open and asks again.
      if (!AdkError.isInstance(error) || (error.kind !== 'unavailable' && error.kind !== 'deadline'))
        throw error;
    }
  }

  /** Nothing when the store has no more than what was read: the next read of the head goes on from there. */
  async #readPage(): Promise<Shown[] | undefined> {
    const before = this.#order.position;
    const page = await this.api.events({ ...keyOf(this.key), afterSeq: before });
    this.signal.throwIfAborted();
    if (page.sessionUid !== this.submitted.sessionUid) {
      throw new AdkError('not_found', 'session.deleted', 'Session was deleted while the run was followed');
    }
    const shown = page.events.flatMap((stored) => this.#order.takeEvent(stored));
    return this.#order.position === before ? undefined : shown;
  }
}

function keyOf({ appName, userId, sessionId }: SessionKey): SessionKey {
  return { appName, userId, sessionId };
}

function isAtRest(status: InvocationStatus): boolean {
  return status !== 'queued' && status !== 'running';
}
