import { RecordingJournal } from '@skein/testing';
import { type StagedEvent, type StagedRecord } from '@skein/engine';

/** A journal of a process that dies with what it stages after so many units: that is lost, and nothing more is stored. */
export class DyingJournal extends RecordingJournal {
  /** Artifacts saved when the last unit was stored; nothing when none was. */
  savesAtDeath: number | undefined;
  readonly died: Promise<void>;
  #die: () => void = () => undefined;
  #isDead = false;

  /** @param saves how many artifacts were saved so far. */
  constructor(
    private readonly unitsToLive: number,
    private readonly saves: () => number,
  ) {
    super();
    this.died = new Promise((resolve) => (this.#die = resolve));
  }

  override stageEvent(staged: StagedEvent): void {
    super.stageEvent(staged);
    this.#check();
  }

  override stageRecord(record: StagedRecord): void {
    super.stageRecord(record);
    this.#check();
  }

  override stored(): Promise<void> {
    return this.#isDead ? new Promise(() => undefined) : super.stored();
  }

  #check(): void {
    // What was done since the last stored unit is undone: the process is killed right after it.
    if (this.units.length === this.unitsToLive) this.savesAtDeath = this.saves();
    if (this.units.length <= this.unitsToLive) return;
    this.#isDead = true;
    this.#die();
  }
}
