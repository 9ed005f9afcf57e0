import { LaneLimiter, type Hold } from './lane-limiter';
import { type Lane, laneName, RateLimiter, type Permit, type Wait } from './rate-limiter';
import { LruCache } from './lru-cache';

/** Paces the requests of this process; whoever shares it with others is told of holds, and tells of theirs. */
export class LocalRateLimiter extends RateLimiter {
  readonly #lanes: LruCache<LaneLimiter>;

  /** `onHold` is called with the lane's name each time a provider asks to be left alone, or for longer. */
  constructor(onHold: (lane: string, hold: Hold) => void = () => undefined) {
    super();
    this.#lanes = new LruCache(
      (name) => new LaneLimiter((hold) => onHold(name, hold)),
      (lane) => !lane.isIdle,
    );
  }

  /** Requests that wait for their permit. */
  get waiting(): number {
    return [...this.#lanes.values()].reduce((sum, lane) => sum + lane.waiting, 0);
  }

  override async enter(lane: Lane, wait: Wait): Promise<Permit> {
    return this.#lanes.of(laneName(lane)).enter(lane.model, wait);
  }

  /** As another process heard it from the provider. */
  hear(lane: string, hold: Hold): void {
    this.#lanes.of(lane).hear(hold);
  }
}
