import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type AppendUnit,
  type EventMessage,
  type PartialFrame,
  type SessionKey,
  type StoredEvent,
  subjects,
} from '@skein/contracts';
import { type MessagingConnection, publishCore, publishInOrder, WorkBody } from '@skein/messaging';
import { type Logger } from '@skein/platform';
import {
  markPublished,
  type PublishedHead,
  readEvents,
  sessionKeyOf,
  type StoredChain,
  type StoredUnit,
  type StorePool,
  type UnpublishedSession,
} from '@skein/session-store';
import { LRUCache } from 'lru-cache';
import { PublishedLine } from './published-line';
import { type ServiceMetrics } from '../service-metrics';
import { Tasks } from '../tasks';
import { secondsSince } from './seconds-since';

const REMEMBERED_SESSIONS = 50_000;
const NOTE_MS = 1_000;
/** Turns of the event loop before events leave that nobody is in a hurry for: a connection writes at the end of the first (ADR 17). */
const TURNS_BEHIND = 2;

type PublishedFigures = 'publishSeconds' | 'publishFailures' | 'invocationsEnded' | 'invocationSeconds';

export interface EventPublisherParts {
  readonly pool: StorePool;
  readonly connection: MessagingConnection;
  readonly metrics: Pick<ServiceMetrics, PublishedFigures>;
  readonly logger: Logger;
}

interface OutgoingEvent {
  readonly seq: number;
  readonly msgId: string;
  readonly body: WorkBody;
}

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
  /** What is on its way, the oldest first. */
  readonly #backlog = new Set<{ readonly events: number; readonly sinceMs: number }>();
  #timer: NodeJS.Timeout | undefined;
  /** Which of its lives the stream is in. */
  #stream: string | undefined;

  constructor(private readonly parts: EventPublisherParts) {
    this.#tasks = new Tasks(parts.logger);
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

  /** Makes the events of a chain ready; what it gives back takes them once that is committed, and returns at once. */
  prepare({ units, sessionUid, baseSeq, publishedSeq, events }: StoredChain): () => void {
    const ready = events.map((stored) => this.#messageOf(sessionUid, stored));
    for (const { body } of ready) body.makeReady();
    return () => {
      const [{ appName, userId, sessionId }] = units;
      const line = this.#lineOf({ appName, userId, sessionId }, sessionUid, publishedSeq);
      const last = units.at(-1);
      void this.#enqueue(line, baseSeq, ready, { isAtOnce: last?.finish !== undefined });
      // Its events leave in this turn of the event loop, and the frame with them.
      if (last) this.#endIfFinished(line.key, last, { afterSeq: baseSeq + events.length, turns: 1 });
    };
  }

  /** A unit was found stored: whoever stored it may have died before all this. */
  replayed(unit: AppendUnit, { session, lastSeq }: StoredUnit): void {
    const { appName, userId, sessionId } = unit;
    const key = { appName, userId, sessionId };
    void this.relay({ key, ...session });
    this.#endIfFinished(key, unit, { afterSeq: lastSeq });
  }

  /** What was stored here and is not in the stream yet; what another process left is not known here. */
  get unpublished(): { readonly events: number; readonly oldestSeconds: number } {
    const [oldest] = this.#backlog;
    const events = [...this.#backlog].reduce((sum, batch) => sum + batch.events, 0);
    return { events, oldestSeconds: oldest ? (performance.now() - oldest.sinceMs) / 1_000 : 0 };
  }

  /** Tells streams that a segment ended, in the turn behind its events. */
  end(key: SessionKey, frame: PartialFrame & { readonly kind: 'end' }, turns = TURNS_BEHIND + 1): void {
    const tell = async (): Promise<void> => {
      await turnsPass(turns);
      this.#count(key, frame);
      await publishCore(this.parts.connection, subjects.partial(key), frame);
    };
    this.#tasks.run('ending streams', tell, { ...key, ...frame });
  }

  /** Publishes what somebody stored and did not live to publish; whether it is in the stream now. */
  async relay({ key, sessionUid, publishedSeq, lastSeq }: UnpublishedSession): Promise<boolean> {
    const line = this.#lineOf(key, sessionUid, publishedSeq);
    if (line.seq >= lastSeq) this.#unnoted.add(line);
    await this.#enqueue(line, lastSeq, []);
    return line.seq >= lastSeq;
  }

  /** The stream is this one from now on; what is published into it may be noted. */
  publishInto(created: string): void {
    this.#stream = created;
    this.forgetPublished();
  }

  /** The stream is another: begins again at what the database says, and notes nothing of the old one any more. */
  forgetPublished(): void {
    for (const line of this.#lines.values()) line.isForgotten = true;
    this.#lines.clear();
    this.#unnoted.clear();
  }

  /** For the next append of the session to note along. */
  publishedOf(key: SessionKey): PublishedHead | undefined {
    const line = this.#lines.get(sessionKeyOf(key));
    return line && { sessionUid: line.sessionUid, seq: line.seq, stream: line.stream };
  }

  #observe(sinceMs: number): void {
    this.parts.metrics.publishSeconds.observe((performance.now() - sinceMs) / 1_000);
  }

  #count({ appName }: SessionKey, { invocationId, status }: PartialFrame & { readonly kind: 'end' }): void {
    const { invocationsEnded, invocationSeconds } = this.parts.metrics;
    const labels = { app: appName, status };
    invocationsEnded.increment(labels);
    const seconds = secondsSince(invocationId);
    if (status !== 'waiting' && seconds !== undefined) invocationSeconds.observe(seconds, labels);
  }

  #lineOf(key: SessionKey, sessionUid: string, publishedSeq: number): PublishedLine {
    const id = sessionKeyOf(key);
    const known = this.#lines.get(id);
    if (known?.sessionUid === sessionUid) return known;
    const line = new PublishedLine(key, sessionUid, this.#stream, publishedSeq);
    this.#lines.set(id, line);
    return line;
  }

  #endIfFinished(
    key: SessionKey,
    { invocationId, segment, finish }: AppendUnit,
    { afterSeq, turns }: { readonly afterSeq: number; readonly turns?: number },
  ): void {
    if (!finish) return;
    const { status, error } = finish;
    this.end(key, { kind: 'end', invocationId, segment, status, error, afterSeq }, turns);
  }

  /**
   * One after another within a session: a publish may fail and be tried again by itself, and what was stored later
   * must not come before it. Begins once the calls of its unit and the runner's answer were written, which the run waits for: in one
   * write with them, NATS would tell every reader of the session first. At once where a segment ended: a client waits for that, and
   * nobody for the answer.
   */
  #enqueue(
    line: PublishedLine,
    baseSeq: number,
    events: readonly OutgoingEvent[],
    { isAtOnce = false } = {},
  ): Promise<void> {
    const batch = { events: events.length, sinceMs: performance.now() };
    if (batch.events > 0) this.#backlog.add(batch);
    const turn = line.turn.then(async () => {
      if (!isAtOnce) await turnsPass(TURNS_BEHIND);
      // What was stored after it waits for the relay, or for the line the session's next append begins.
      try {
        if (line.isStopped) return;
        if (line.seq < baseSeq) await this.#catchUp(line, baseSeq);
        await this.#send(line, events);
        if (batch.events > 0) this.#observe(batch.sinceMs);
      } catch (error) {
        this.#giveUp(line, error);
      } finally {
        this.#backlog.delete(batch);
      }
    });
    line.turn = turn;
    this.#tasks.run('publishing', () => turn, line.key);
    return turn;
  }

  async #catchUp(line: PublishedLine, untilSeq: number): Promise<void> {
    while (line.seq < untilSeq) {
      const missing = await readEvents(this.parts.pool, { ...line.key, afterSeq: line.seq, untilSeq });
      if (missing.length === 0) return; // The session was deleted.
      const messages = missing.map((stored) => this.#messageOf(line.sessionUid, stored));
      await this.#send(line, messages);
    }
  }

  #messageOf(sessionUid: string, stored: StoredEvent): OutgoingEvent {
    const content: EventMessage = { sessionUid, ...stored };
    const body = new WorkBody(this.parts.connection, content);
    return { seq: stored.seq, msgId: `${sessionUid}.${stored.seq}`, body };
  }

  async #send(line: PublishedLine, events: readonly OutgoingEvent[]): Promise<void> {
    const unsent = events.filter(({ seq }) => seq > line.seq);
    await publishInOrder(this.parts.connection, subjects.event(line.key), unsent, (index) => {
      line.seq = unsent[index]?.seq ?? line.seq;
      if (!line.isForgotten) this.#unnoted.add(line);
    });
  }

  /** Without its line the session begins again at what the database knows to be published. */
  #giveUp(line: PublishedLine, error: unknown): void {
    line.isStopped = true;
    const id = sessionKeyOf(line.key);
    if (this.#lines.get(id) === line) this.#lines.delete(id);
    this.parts.metrics.publishFailures.increment();
    this.parts.logger.warn({ ...line.key, publishedSeq: line.seq, err: error }, 'events left to the relay');
  }

  async #note(): Promise<void> {
    const lines = [...this.#unnoted];
    this.#unnoted.clear();
    const published = lines.map(({ key, sessionUid, seq, stream }) => ({ key, sessionUid, seq, stream }));
    if (published.length > 0) await markPublished(this.parts.pool, published);
  }
}

/** So many turns of the event loop. */
async function turnsPass(turns: number): Promise<void> {
  for (let turn = 1; turn <= turns; turn++) await nextTurn();
}
