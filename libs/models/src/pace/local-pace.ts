import { LanePace, type Hold } from './lane-pace';
import { type Lane, laneName, ModelPace, type Turn, type Wait } from './model-pace';
import { Recent } from './recent';

/** Paces the requests of this process; whoever shares it with others is told of holds, and tells of theirs. */
export class LocalPace extends ModelPace {
  readonly #lanes: Recent<LanePace>;

  /** `onHold` is called with the lane's name each time a provider asks to be left alone, or for longer. */
  constructor(onHold: (lane: string, hold: Hold) => void = () => undefined) {
    super();
    this.#lanes = new Recent(
      (name) => new LanePace((hold) => onHold(name, hold)),
      (lane) => !lane.isIdle,
    );
  }

  /** Requests that wait for their turn. */
  get waiting(): number {
    return [...this.#lanes.values()].reduce((sum, lane) => sum + lane.waiting, 0);
  }

  override async enter(lane: Lane, wait: Wait): Promise<Turn> {
    return this.#lanes.of(laneName(lane)).enter(lane.model, wait);
  }

  /** As another process heard it from the provider. */
  hear(lane: string, hold: Hold): void {
    this.#lanes.of(lane).hear(hold);
  }
}
