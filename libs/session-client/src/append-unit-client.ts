import { type Appended, type AppendUnit } from '@skein/contracts';

export interface UnitWay {
  /** Whether the unit must not come before what this process has sent to others. */
  readonly behindSent: boolean;
}

/** The way a unit takes to the store; over NATS in the runner, a fake in unit tests. */
export abstract class AppendUnitClient {
  /** Stores a unit; answers the same for a unit that was stored before. `append.fenced` when the owner has changed. */
  abstract append(unit: AppendUnit, way: UnitWay): Promise<Appended>;
}
