import { type Event } from '@skein/contracts';
import { Journal, type StagedEvent, type StagedRecord } from '@skein/engine';

/** What was staged in one go, with nothing awaited in between: no crash can come in the middle of it. */
type Unit = readonly Piece[];

type Piece = StagedEvent | StagedRecord;

/** A journal in memory that outlives a run: the next run over it finds what the last one stored. */
export class RecordingJournal extends Journal {
  /** In the order they were staged. */
  readonly #events = new Map<string, StagedEvent>();
  readonly #records = new Map<string, StagedRecord>();
  readonly #units: Piece[][] = [];
  #openUnit: Piece[] | undefined;

  /** All that is stored, in the order it was staged. */
  get units(): readonly Unit[] {
    return this.#units;
  }

  /** What is stored, in order. */
  get staged(): readonly StagedEvent[] {
    return [...this.#events.values()];
  }

  /** The outcomes of steps without an event, in order. */
  get records(): readonly StagedRecord[] {
    return [...this.#records.values()];
  }

  /** The keys of all stored steps, those without an event last. */
  get stepKeys(): readonly string[] {
    return [...this.#events.keys(), ...this.records.map(({ stepKey }) => stepKey)];
  }

  /** The journal as a crash after its first `count` events, and so many records, would leave it. */
  cutAfter(count: number, records = 0): RecordingJournal {
    const kept = new Set<unknown>([...this.staged.slice(0, count), ...this.records.slice(0, records)]);
    return this.#keeping((piece) => kept.has(piece));
  }

  /** The journal as a crash would leave it after each piece, event or record, in the order they were staged. */
  cuts(): RecordingJournal[] {
    const pieces = this.#units.flat();
    return [undefined, ...pieces].map((_last, count) => {
      const kept = new Set<unknown>(pieces.slice(0, count));
      return this.#keeping((piece) => kept.has(piece));
    });
  }

  /** The journal as a crash after this many of its units would leave it: wherever a crash can come. */
  cutAfterUnits(count: number): RecordingJournal {
    const kept = new Set<unknown>(this.#units.slice(0, count).flat());
    return this.#keeping((piece) => kept.has(piece));
  }

  override storedEvent(stepKey: string): Event | undefined {
    const staged = this.#events.get(stepKey);
    if (!staged) return undefined;
    const { event, temp } = structuredClone({ event: staged.event, temp: staged.temp });
    return { ...event, actions: { ...event.actions, stateDelta: { ...event.actions.stateDelta, ...temp } } };
  }

  override storedRecord(kind: StagedRecord['kind'], stepKey: string): StagedRecord | undefined {
    return structuredClone(this.#records.get(`${kind} ${stepKey}`));
  }

  override storedHash(stepKey: string): string | undefined {
    return this.#events.get(stepKey)?.hash;
  }

  override get storedSteps(): readonly string[] {
    return [...this.#events.keys()];
  }

  override storedRecords(kind: StagedRecord['kind']): StagedRecord[] {
    return this.records.filter((record) => record.kind === kind).map((record) => structuredClone(record));
  }

  override stageEvent(staged: StagedEvent): void {
    if (this.#events.has(staged.stepKey)) return;
    const kept = structuredClone(staged);
    this.#events.set(staged.stepKey, kept);
    this.#stage(kept);
  }

  override stageRecord(record: StagedRecord): void {
    const key = `${record.kind} ${record.stepKey}`;
    if (this.#records.has(key)) return;
    const kept = structuredClone(record);
    this.#records.set(key, kept);
    this.#stage(kept);
  }

  override async stored(): Promise<void> {
    // In memory at once.
  }

  #stage(piece: Piece): void {
    if (this.#openUnit) {
      this.#openUnit.push(piece);
      return;
    }
    const unit = [piece];
    this.#units.push(unit);
    this.#openUnit = unit;
    queueMicrotask(() => (this.#openUnit = undefined));
  }

  #keeping(isKept: (piece: Piece) => boolean): RecordingJournal {
    const cut = new RecordingJournal();
    for (const piece of this.#units.flat().filter(isKept)) {
      if ('event' in piece) cut.stageEvent(piece);
      else cut.stageRecord(piece);
    }
    return cut;
  }
}
