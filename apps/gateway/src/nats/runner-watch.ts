import { runnerAnnouncementSchema, subjects } from '@skein/contracts';
import { subscribeCore, type CoreSubscription, type MessagingConnection } from '@skein/messaging';

/** Runners announce themselves every second; three missed ones mean that there is none. */
const ALIVE_MS = 3_000;

/** Whether any runner is there to take a turn. */
export class RunnerWatch {
  #heardAt = -Infinity;
  readonly #subscription: CoreSubscription;

  constructor(connection: MessagingConnection) {
    this.#subscription = subscribeCore(
      connection,
      subjects.runnerAnnouncement,
      runnerAnnouncementSchema,
      () => {
        this.#heardAt = performance.now();
      },
    );
  }

  isRunnerThere(): boolean {
    return performance.now() - this.#heardAt < ALIVE_MS;
  }

  close(): Promise<void> {
    return this.#subscription.close();
  }
}
