import { subjects, workerAnnouncementSchema } from '@skein/contracts';
import {
  type CoreSubscription,
  type MessagingConnection,
  publishCore,
  subscribeCore,
} from '@skein/messaging';
import { type FalseClaims } from './false-claims';
import { type WorkerDirectory } from './worker-directory';

export interface WorkerHearingParts {
  readonly connection: MessagingConnection;
  readonly directory: WorkerDirectory;
  readonly claims: Pick<FalseClaims, 'heard'>;
}

/** Hears what workers announce; asks all of them where nothing can be known yet: at the start, and when NATS is back. */
export class WorkerHearing {
  #subscription: CoreSubscription | undefined;
  #forgetReconnects: (() => void) | undefined;

  constructor(private readonly parts: WorkerHearingParts) {}

  start(): void {
    const { connection, directory, claims } = this.parts;
    this.#subscription = subscribeCore(
      connection,
      subjects.workerAnnouncement,
      workerAnnouncementSchema,
      (said) => {
        claims.heard(said);
        directory.announced(said);
      },
    );
    this.#forgetReconnects = connection.onReconnect(() => this.#ask());
    this.#ask();
  }

  async stop(): Promise<void> {
    this.#forgetReconnects?.();
    await this.#subscription?.close();
  }

  #ask(): void {
    const { connection, directory } = this.parts;
    directory.listening();
    // Lost, it costs a second: then they announce themselves unasked.
    void publishCore(connection, subjects.askWorkers, {});
  }
}
