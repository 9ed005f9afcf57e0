import { type Event, type Session } from '@skein/contracts';
import { type SessionService } from '../session/session-service';
import { Journal, type StagedEvent } from './journal';

/** A journal over a SessionService: events are appended one by one, nothing is found again after a crash. */
export class SessionServiceJournal extends Journal {
  #tail: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly sessions: SessionService,
    private readonly session: Session,
  ) {
    super();
  }

  override storedEvent(): undefined {
    return undefined;
  }

  override storedRecord(): undefined {
    return undefined;
  }

  override storedHash(): undefined {
    return undefined;
  }

  override get storedSteps(): readonly string[] {
    return [];
  }

  override storedRecords(): [] {
    return [];
  }

  override stageEvent({ event }: StagedEvent): void {
    this.#tail = this.#tail.then(() => this.#append(event));
    // The failure reaches the run at its next `stored()`; without this it would be an unhandled rejection meanwhile.
    this.#tail.catch(() => undefined);
  }

  override stageRecord(): void {
    // One process holds the run from begin to end, so nobody ever asks.
  }

  override async stored(): Promise<void> {
    await this.#tail;
  }

  async #append(event: Event): Promise<void> {
    await this.sessions.appendEvent({ session: this.session, event });
  }
}
