import { findUnpublished, type StorePool } from '@skein/session-store';
import { type EventPublisher } from '../events/event-publisher';

export interface UnpublishedEventsParts {
  readonly pool: StorePool;
  readonly publisher: EventPublisher;
}

/** Publishes events that are stored and that the stream does not have. */
export class UnpublishedEvents {
  /** Some crash may have been long before this process began, so its first look is at all sessions. */
  #hasLookedEverywhere = false;

  constructor(private readonly parts: UnpublishedEventsParts) {}

  /** Of sessions that were at work lately. */
  async sweep(signal: AbortSignal): Promise<void> {
    await this.#relay({ everywhere: false }, signal);
  }

  /** Of all sessions there are, until that went well once. */
  async sweepEverywhere(signal: AbortSignal): Promise<void> {
    if (this.#hasLookedEverywhere) return;
    this.#hasLookedEverywhere = await this.#relay({ everywhere: true }, signal);
  }

  /** Whether all that was found is in the stream now. */
  async #relay(where: { readonly everywhere: boolean }, signal: AbortSignal): Promise<boolean> {
    const { pool, publisher } = this.parts;
    let isAllPublished = true;
    for await (const page of findUnpublished(pool, where)) {
      const arePublished = await Promise.all(page.map((session) => publisher.relay(session)));
      isAllPublished &&= arePublished.every(Boolean);
      if (signal.aborted) return false;
    }
    return isAllPublished;
  }
}
