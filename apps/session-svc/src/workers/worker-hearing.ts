import {
  announcerOf,
  subjects,
  type WorkerAnnouncement,
  workerAnnouncementSchema,
  workerOf,
} from '@skein/contracts';
import {
  type CoreSubscription,
  type MessagingConnection,
  publishCore,
  subscribeCore,
} from '@skein/messaging';
import { type FalseClaims } from '../calls/false-claims';
import { type WorkerDirectory } from './worker-directory';

export interface WorkerHearingParts {
  readonly connection: MessagingConnection;
  readonly directory: WorkerDirectory;
  readonly claims: Pick<FalseClaims, 'heard'>;
}

/** Hears what workers announce; asks all of them where nothing can be known yet: at the start, and when NATS is back. */
export class WorkerHearing {
  #subscriptions: readonly CoreSubscription[] = [];
  #forgetReconnects: (() => void) | undefined;

  constructor(private readonly parts: WorkerHearingParts) {}

  start(): void {
    const { connection } = this.parts;
    const heard = [subjects.workerAnnouncement, subjects.everyWorkerAnnouncement];
    this.#subscriptions = heard.map((subject) =>
      subscribeCore(connection, subject, workerAnnouncementSchema, (said, from) => this.#hear(said, from)),
    );
    this.#forgetReconnects = connection.onReconnect(() => this.#ask());
    this.#ask();
  }

  async stop(): Promise<void> {
    this.#forgetReconnects?.();
    await Promise.all(this.#subscriptions.map((subscription) => subscription.close()));
  }

  /** Of what a worker says of pools that its user may not serve, nothing is taken; nor is it taken for another user's worker. */
  #hear(said: WorkerAnnouncement, from: string): void {
    const { directory, claims } = this.parts;
    const announcer = announcerOf(from);
    const pools = said.pools.filter(({ pool }) => announcer?.pools.includes(pool) ?? true);
    if (pools.length === 0) return;
    const bound = { ...said, worker: workerOf(announcer?.user, said.worker), pools };
    claims.heard(bound);
    directory.announced(bound);
  }

  #ask(): void {
    const { connection, directory } = this.parts;
    directory.listening();
    // Lost, it costs a second: then they announce themselves unasked.
    void publishCore(connection, subjects.askWorkers, {});
  }
}
