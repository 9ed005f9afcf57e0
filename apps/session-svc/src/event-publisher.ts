import { type PartialFrame, type SessionKey, type StoredEvent, subjects } from '@skein/contracts';
import { type MessagingConnection, publishCore, publishWork } from '@skein/messaging';
import { type Logger } from '@skein/platform';
import {
  markPublished,
  type PublishedHead,
  readEvents,
  sessionKeyOf,
  type StoredChain,
  type UnpublishedSession,
  type StorePool,
} from '@skein/session-store';
import { LRUCache } from 'lru-cache';
import { PublishedLine } from './published-line';
import { Tasks } from './tasks';

const REMEMBERED_SESSIONS = 50_000;
const NOTE_MS = 1_000;

/**
 * Publishes stored events, each session's in order and none before those below it. What another process committed in
 * between is read and published too: both may send an event, the stream keeps the first by its id. A publish that fails
 * leaves the session to the relay.
 */
export class EventPublisher {
  readonly #lines = new LRUCache<string, PublishedLine>({ max: REMEMBERED_SESSIONS });
  /** Sessions whose published head the database does not know yet. */
  readonly #unnoted = new Set<PublishedLine>();
  readonly #tasks: Tasks;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly pool: StorePool,
    private readonly connection: MessagingConnection,
    private readonly logger: Logger,
  ) {
    this.#tasks = new Tasks(logger);
  }

  start(): void {
    this.#timer = setInterval(() => this.#tasks.run('noting what is published', () => this.#note()), NOTE_MS);
  }

  /** Publishes what is left and notes it. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#tasks.settled();
    await this.#note();
  }

  /** Takes a committed chain; returns at once. */
  stored({ units, sessionUid, baseSeq, publishedSeq, events }: StoredChain): void {
    const [{ appName, userId, sessionId }] = units;
    const line = this.#lineOf({ appName, userId, sessionId }, sessionUid, publishedSeq);
    this.#publish(line, baseSeq, events);
    const last = units.at(-1);
    if (!last?.finish) return;
    const { status, error } = last.finish;
    this.end(line.key, {
      kind: 'end',
      invocationId: last.invocationId,
      status,
      error,
      afterSeq: baseSeq + events.length,
    });
  }

  /** Tells streams that an invocation ended, once its events are on their way. */
  end(key: SessionKey, frame: PartialFrame & { readonly kind: 'end' }): void {
    setImmediate(() =>
      this.#tasks.run('ending streams', () => publishCore(this.connection, subjects.partial(key), frame)),
    );
  }

  /** Publishes what somebody stored and did not live to publish. */
  relay({ key, sessionUid, publishedSeq, lastSeq }: UnpublishedSession): void {
    const line = this.#lineOf(key, sessionUid, publishedSeq);
    if (line.ackedSeq >= lastSeq) this.#unnoted.add(line);
    this.#publish(line, lastSeq, []);
  }

  /** For the next append of the session to note along. */
  publishedOf(key: SessionKey): PublishedHead | undefined {
    const line = this.#lines.get(sessionKeyOf(key));
    return line && { sessionUid: line.sessionUid, seq: line.ackedSeq };
  }

  #lineOf(key: SessionKey, sessionUid: string, publishedSeq: number): PublishedLine {
    const id = sessionKeyOf(key);
    const known = this.#lines.get(id);
    if (known?.sessionUid === sessionUid) return known;
    const line = new PublishedLine(key, sessionUid, publishedSeq);
    this.#lines.set(id, line);
    return line;
  }

  #publish(line: PublishedLine, baseSeq: number, events: readonly StoredEvent[]): void {
    if (line.sentSeq >= baseSeq && !line.isCatchingUp) {
      this.#send(line, events);
      return;
    }
    line.isCatchingUp = true;
    line.turn = line.turn.then(async () => {
      await this.#catchUp(line, baseSeq);
      this.#send(line, events);
    });
    const turn = line.turn;
    this.#tasks.run('publishing', () =>
      turn.then(
        () => this.#caughtUp(line, turn),
        (error: unknown) => this.#giveUp(line, error),
      ),
    );
  }

  #caughtUp(line: PublishedLine, turn: Promise<void>): void {
    if (line.turn === turn) line.isCatchingUp = false;
  }

  async #catchUp(line: PublishedLine, untilSeq: number): Promise<void> {
    while (line.sentSeq < untilSeq) {
      const missing = await readEvents(this.pool, { ...line.key, afterSeq: line.sentSeq, untilSeq });
      if (missing.length === 0) return; // The session was deleted.
      this.#send(line, missing);
    }
  }

  /** Begun in order and not awaited one by one: a session of many events must not pay a round trip for each. */
  #send(line: PublishedLine, events: readonly StoredEvent[]): void {
    const subject = subjects.event(line.key);
    for (const stored of events) {
      if (stored.seq <= line.sentSeq) continue;
      line.sent(stored.seq);
      const message = { sessionUid: line.sessionUid, ...stored };
      const msgId = `${line.sessionUid}.${stored.seq}`;
      this.#tasks.run('publishing', async () => {
        try {
          await publishWork(this.connection, subject, message, { msgId });
          line.acked(stored.seq);
          this.#unnoted.add(line);
        } catch (error) {
          this.#giveUp(line, error);
        }
      });
    }
  }

  /** Without its line the session begins again at what the database knows to be published. */
  #giveUp(line: PublishedLine, error: unknown): void {
    const id = sessionKeyOf(line.key);
    if (this.#lines.get(id) === line) this.#lines.delete(id);
    this.logger.warn({ ...line.key, publishedSeq: line.ackedSeq, err: error }, 'events left to the relay');
  }

  async #note(): Promise<void> {
    const lines = [...this.#unnoted];
    this.#unnoted.clear();
    const published = lines.map((line) => ({
      key: line.key,
      sessionUid: line.sessionUid,
      seq: line.ackedSeq,
    }));
    if (published.length > 0) await markPublished(this.pool, published);
  }
}
