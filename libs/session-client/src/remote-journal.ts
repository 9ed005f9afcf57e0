import { type Event, type Handover, type StepRecord, type StoredEvent } from '@skein/contracts';
import { Journal, type StagedEvent, type StagedRecord } from '@skein/engine';
import { type AppendPipeline } from './append-pipeline';

/** The journal of a claimed invocation: what earlier owners stored of its segment, and a pipeline for the rest. */
export class RemoteJournal extends Journal {
  readonly #events: ReadonlyMap<string, Event>;
  readonly #hashes: ReadonlyMap<string, string>;
  readonly #records: ReadonlyMap<string, StepRecord>;

  /**
   * @param stored the events of this segment, in order, as they are in the log.
   * @param onEvent called whenever the run's own log has grown, in replay too.
   */
  constructor(
    private readonly pipeline: AppendPipeline,
    stored: readonly StoredEvent[],
    records: Handover['records'],
    private readonly onEvent: () => void = () => undefined,
  ) {
    super();
    this.#records = new Map(records.map((record) => [recordKey(record.kind, record.stepKey), record]));
    this.#events = new Map(
      stored.flatMap(({ stepKey, event }) => (stepKey ? [[stepKey, this.#withTemp(stepKey, event)]] : [])),
    );
    this.#hashes = new Map(
      stored.flatMap(({ stepKey, hash }) => (stepKey && hash !== undefined ? [[stepKey, hash]] : [])),
    );
  }

  override storedEvent(stepKey: string): Event | undefined {
    return this.#events.get(stepKey);
  }

  override storedRecord(kind: StagedRecord['kind'], stepKey: string): StepRecord | undefined {
    return this.#records.get(recordKey(kind, stepKey));
  }

  override storedHash(stepKey: string): string | undefined {
    return this.#hashes.get(stepKey);
  }

  override get storedSteps(): readonly string[] {
    return [...this.#events.keys()];
  }

  override storedRecords(kind: StagedRecord['kind']): StepRecord[] {
    return [...this.#records.values()].filter((record) => record.kind === kind);
  }

  override stageEvent({ stepKey, hash, event, temp, appliedCalls = [] }: StagedEvent): void {
    this.onEvent();
    if (this.#events.has(stepKey)) return;
    this.pipeline.stageEvent({ stepKey, hash, event });
    this.pipeline.stageApplied(appliedCalls);
    if (Object.keys(temp).length > 0) this.pipeline.stageRecord({ stepKey, kind: 'temp', payload: temp });
  }

  override stageRecord({ stepKey, kind, payload, hash, appliedCalls = [] }: StagedRecord): void {
    if (this.storedRecord(kind, stepKey)) return;
    this.pipeline.stageRecord({ stepKey, kind, payload, hash });
    this.pipeline.stageApplied(appliedCalls);
  }

  override stored(): Promise<void> {
    return this.pipeline.stored();
  }

  #withTemp(stepKey: string, event: Event): Event {
    const temp = this.#records.get(recordKey('temp', stepKey))?.payload;
    if (typeof temp !== 'object') return event;
    return { ...event, actions: { ...event.actions, stateDelta: { ...event.actions.stateDelta, ...temp } } };
  }
}

function recordKey(kind: StepRecord['kind'], stepKey: string): string {
  return `${kind} ${stepKey}`;
}
