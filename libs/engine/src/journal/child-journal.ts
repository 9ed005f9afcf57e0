import { type Event, type StepRecord } from '@skein/contracts';
import { type StateRecord } from '../state/state-scope';
import { type Frame } from './frame';
import { Journal, type StagedEvent, type StagedRecord } from './journal';

interface ChildEvent {
  readonly event: Event;
  readonly temp: StateRecord;
  /** Its place among the events of its run. */
  readonly place: number;
  /** Events that were in the outer log when the run began. */
  readonly after: number;
}

/**
 * The journal of an agent that runs as a tool: its events are in no log, so each is recorded as the outcome of a step of
 * the outer run, and a resumed run asks its model and its tools no more than a plain one does.
 */
export class ChildJournal extends Journal {
  #staged = 0;

  /** @param after events that were in the outer log when this run began. */
  constructor(
    private readonly outer: Journal,
    private readonly frame: Frame,
    private readonly after: number,
  ) {
    super();
  }

  /** Events that were in the outer log when the run below this frame began; nothing when it never did. */
  static beganAfter(outer: Journal, frame: Frame): number | undefined {
    const first = outer.storedRecord('child', frame.upcoming('user'));
    return first && childEvent(first).after;
  }

  override get storedSteps(): readonly string[] {
    return this.outer
      .storedRecords('child')
      .filter(({ stepKey }) => this.frame.isWithin(stepKey))
      .sort((one, other) => childEvent(one).place - childEvent(other).place)
      .map(({ stepKey }) => stepKey);
  }

  override storedEvent(stepKey: string): Event | undefined {
    const record = this.outer.storedRecord('child', stepKey);
    if (!record) return undefined;
    const { event, temp } = structuredClone(childEvent(record));
    return { ...event, actions: { ...event.actions, stateDelta: { ...event.actions.stateDelta, ...temp } } };
  }

  override storedRecord(kind: StagedRecord['kind'], stepKey: string): Readonly<StepRecord> | undefined {
    return this.outer.storedRecord(kind, stepKey);
  }

  override storedHash(stepKey: string): string | undefined {
    return this.outer.storedRecord('child', stepKey)?.hash;
  }

  override storedRecords(kind: StagedRecord['kind']): Readonly<StepRecord>[] {
    return this.outer.storedRecords(kind);
  }

  override stageEvent({ stepKey, hash, event, temp, appliedCalls }: StagedEvent): void {
    const payload: ChildEvent = { event, temp, place: this.#staged++, after: this.after };
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

function childEvent({ payload }: Readonly<StepRecord>): ChildEvent {
  // Staged above alone.
  return payload as ChildEvent;
}
