import { type Event } from '@skein/contracts';
import { Journal, type StagedEvent, type StagedRecord } from '@skein/engine';

/** A journal in memory that outlives a run: the next run over it finds what the last one stored. */
export class RecordingJournal extends Journal {
  /** In the order they were staged. */
  readonly #events = new Map<string, StagedEvent>();
  readonly #records = new Map<string, StagedRecord>();
  readonly #order: (StagedEvent | StagedRecord)[] = [];

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
    return Array.from({ length: this.#order.length + 1 }, (_, count) =>
      this.#keeping((_piece, index) => index < count),
    );
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
    this.#order.push(kept);
  }

  override stageRecord(record: StagedRecord): void {
    const key = `${record.kind} ${record.stepKey}`;
    if (this.#records.has(key)) return;
    const kept = structuredClone(record);
    this.#records.set(key, kept);
    this.#order.push(kept);
  }

  override async stored(): Promise<void> {
    // In memory at once.
  }

  #keeping(isKept: (piece: StagedEvent | StagedRecord, index: number) => boolean): RecordingJournal {
    const cut = new RecordingJournal();
    for (const piece of this.#order.filter(isKept)) {
      if ('event' in piece) cut.stageEvent(piece);
      else cut.stageRecord(piece);
    }
    return cut;
  }
}
