import { type Event, type StepRecord } from '@skein/contracts';
import { type StateRecord } from '../state/state-scope';
import { Journal, type StagedEvent, type StagedRecord } from './journal';

interface ChildEvent {
  readonly event: Event;
  readonly temp: StateRecord;
}

/**
 * The journal of an agent that runs as a tool: its events are in no log, so each is recorded as the outcome of a step of
 * the outer run, and a resumed run asks its model and its tools no more than a plain one does.
 */
export class ChildJournal extends Journal {
  constructor(private readonly outer: Journal) {
    super();
  }

  override storedEvent(stepKey: string): Event | undefined {
    const record = this.outer.storedRecord('child', stepKey);
    if (!record) return undefined;
    // Staged below, by this class alone.
    const { event, temp } = structuredClone(record.payload) as ChildEvent;
    return { ...event, actions: { ...event.actions, stateDelta: { ...event.actions.stateDelta, ...temp } } };
  }

  override storedRecord(kind: StagedRecord['kind'], stepKey: string): Readonly<StepRecord> | undefined {
    return this.outer.storedRecord(kind, stepKey);
  }

  override storedHash(stepKey: string): string | undefined {
    return this.outer.storedRecord('child', stepKey)?.hash;
  }

  override get storedSteps(): readonly string[] {
    return this.outer.storedRecords('child').map(({ stepKey }) => stepKey);
  }

  override storedRecords(kind: StagedRecord['kind']): Readonly<StepRecord>[] {
    return this.outer.storedRecords(kind);
  }

  override stageEvent({ stepKey, hash, event, temp, appliedCalls }: StagedEvent): void {
    const payload: ChildEvent = { event, temp };
    this.outer.stageRecord({
      stepKey,
      kind: 'child',
      payload,
      hash,
      ...(appliedCalls ? { appliedCalls } : {}),
    });
  }

  override stageRecord(record: StagedRecord): void {
    this.outer.stageRecord(record);
  }

  override stored(): Promise<void> {
    return this.outer.stored();
  }
}
