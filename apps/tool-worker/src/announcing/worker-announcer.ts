import { askWorkersSchema, subjects, type WorkerAnnouncement } from '@skein/contracts';
import {
  type CoreSubscription,
  type MessagingConnection,
  publishCore,
  subscribeCore,
} from '@skein/messaging';
import { type AnnouncedTools } from './announced-tools';
import { type RunningCalls } from '../calls/running-calls';

const ANNOUNCE_MS = 1_000;
/** With this many the longest announcement stays below what goes through NATS in one message. */
const MAX_NAMED_CALLS = 1_024;

export interface WorkerAnnouncerParts {
  readonly worker: string;
  readonly pools: readonly string[];
  /** How many calls of one pool may run at the same time now. */
  readonly concurrency: () => number;
  readonly tools: Pick<AnnouncedTools, 'read' | 'served'>;
  readonly running: Pick<RunningCalls, 'inPool' | 'some' | 'leftBehind' | 'onLeftBehind'>;
  readonly connection: MessagingConnection;
}

/** Tells every session-svc which tools this worker has, in which pools, and what it runs. */
export class WorkerAnnouncer {
  #timer: NodeJS.Timeout | undefined;
  #subscription: CoreSubscription | undefined;
  #isLeaving = false;

  constructor(private readonly parts: WorkerAnnouncerParts) {}

  /** Settles once it was announced the first time. */
  async start(): Promise<void> {
    await this.parts.tools.read();
    // A signal came meanwhile.
    if (this.#isLeaving) return;
    this.#subscription = subscribeCore(this.parts.connection, subjects.askWorkers, askWorkersSchema, () =>
      this.#announce(),
    );
    this.#timer = setInterval(() => void this.#announce(), ANNOUNCE_MS);
    // Before its call is known to be over, and another of its tool takes the place.
    this.parts.running.onLeftBehind(() => void this.#announce());
    await this.#announce();
  }

  /** From now on it asks for no new calls; those it runs it still names, every second. */
  async leave(): Promise<void> {
    this.#isLeaving = true;
    await this.#announce();
  }

  /** After the last call: says that it runs nothing any more, and then nothing. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#subscription?.close();
    await this.leave();
  }

  async #announce(): Promise<void> {
    const { worker, pools, concurrency, tools, running, connection } = this.parts;
    const { apps, hasMoreApps } = tools.served;
    const leftBehind = running.leftBehind();
    const announcement: WorkerAnnouncement = {
      worker,
      pools: pools.map((pool) => ({ pool, concurrency: concurrency(), running: running.inPool(pool) })),
      apps,
      ...(hasMoreApps && { hasMoreApps }),
      running: running.some(MAX_NAMED_CALLS),
      ...(leftBehind.length > 0 && { leftBehind }),
      ...(connection.lanes.reach(subjects.everyStored) && { holds: true }),
      isLeaving: this.#isLeaving,
    };
    // Lost while NATS is away, and said again in a second.
    await publishCore(connection, subjects.workerAnnouncement, announcement);
  }
}
