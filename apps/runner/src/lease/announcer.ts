import { subjects } from '@skein/contracts';
import { type MessagingConnection, publishCore } from '@skein/messaging';
import { type ActiveRuns } from '../run/active-runs';

const ANNOUNCE_MS = 1_000;

/** Tells every session-svc that this runner is there and how many runs it would take. */
export class Announcer {
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly runnerId: string,
    private readonly runs: ActiveRuns,
    private readonly connection: MessagingConnection,
  ) {}

  start(): void {
    this.runs.onChange(() => this.#announce());
    this.#timer = setInterval(() => this.#announce(), ANNOUNCE_MS);
    this.#announce();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #announce(): void {
    const { runnerId, connection } = this;
    const { credit, isAwaited } = this.runs;
    // Lost while NATS is away, and said again in a second.
    void publishCore(connection, subjects.runnerAnnouncement, {
      runnerId,
      credit,
      isAwaited,
      takesGuesses: true,
    });
  }
}
