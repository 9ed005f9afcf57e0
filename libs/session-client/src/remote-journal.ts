import { type Event, type Handover, type StepRecord, type StoredEvent } from '@skein/contracts';
import { Journal, type StagedEvent } from '@skein/engine';
import { type AppendPipeline } from './append-pipeline';

/** The journal of a claimed invocation: what earlier owners stored of its segment, and a pipeline for the rest. */
export class RemoteJournal extends Journal {
  readonly #events: ReadonlyMap<string, Event>;
  readonly #records: ReadonlyMap<string, StepRecord>;

  /** @param stored the events of this segment, in order, as they are in the log. */
  constructor(
    private readonly pipeline: AppendPipeline,
    stored: readonly StoredEvent[],
    records: Handover['records'],
  ) {
    super();
    this.#records = new Map(records.map((record) => [recordKey(record.kind, record.stepKey), record]));
    this.#events = new Map(
      stored.flatMap(({ stepKey, event }) => (stepKey ? [[stepKey, this.#withTemp(stepKey, event)]] : [])),
    );
  }

  override storedEvent(stepKey: string): Event | undefined {
    return this.#events.get(stepKey);
  }

  override wasEmpty(stepKey: string): boolean {
    return this.#records.has(recordKey('empty', stepKey));
  }

  override stageEvent({ stepKey, event, temp, appliedCalls = [] }: StagedEvent): void {
    if (this.#events.has(stepKey)) return;
    this.pipeline.stageEvent({ stepKey, event });
    this.pipeline.stageApplied(appliedCalls);
    if (Object.keys(temp).length > 0) this.pipeline.stageRecord({ stepKey, kind: 'temp', payload: temp });
  }

  override stageEmpty(stepKey: string, appliedCalls: readonly string[] = []): void {
    if (this.wasEmpty(stepKey)) return;
    this.pipeline.stageRecord({ stepKey, kind: 'empty', payload: null });
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
