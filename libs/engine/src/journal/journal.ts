import { type Event, type StepRecord } from '@skein/contracts';
import { type StateRecord } from '../state/state-scope';

/** An event on its way into the store, and what else its unit settles. */
export interface StagedEvent {
  readonly stepKey: string;
  /** As it is shown: without `temp:` keys. */
  readonly event: Event;
  /** The `temp:` keys the event set; they outlive a crash, not the invocation. */
  readonly temp: StateRecord;
  /** Of what the step asked for. */
  readonly hash?: string | undefined;
  /** Dispatch ids of the calls whose responses the event carries. */
  readonly appliedCalls?: readonly string[] | undefined;
}

/** The outcome of a step that leaves no event. */
export interface StagedRecord extends StepRecord {
  readonly kind: Exclude<StepRecord['kind'], 'temp'>;
  /** Dispatch ids of the calls it settles. */
  readonly appliedCalls?: readonly string[];
}

/**
 * What one invocation has stored, and the way to store more. Staging is immediate and ordered; what is staged in one
 * turn of the event loop may leave as one unit. Nothing that follows from a staged piece may be shown to anyone, or run
 * outside, before `stored()` resolved (B64).
 */
export abstract class Journal {
  /** The event an earlier owner stored for this step, with its `temp:` keys, so that nothing outside is asked again. */
  abstract storedEvent(stepKey: string): Event | undefined;

  /** What an earlier owner recorded of a step without an event. */
  abstract storedRecord(kind: StagedRecord['kind'], stepKey: string): Readonly<StepRecord> | undefined;

  /** The hash of what a stored event's step asked for; nothing where none was kept. */
  abstract storedHash(stepKey: string): string | undefined;

  /** The steps of the stored events of this segment, in the order of the log. */
  abstract get storedSteps(): readonly string[];

  /** All that earlier owners recorded of one kind, in no order. */
  abstract storedRecords(kind: StagedRecord['kind']): Readonly<StepRecord>[];

  /** Takes an event; a step that is stored already is left as it is. */
  abstract stageEvent(staged: StagedEvent): void;

  /** Takes the outcome of a step that leaves no event; one that is stored already is left as it is. */
  abstract stageRecord(record: StagedRecord): void;

  /** Resolves when all that was staged before is durable; rejects when it cannot become so, and the run must stop. */
  abstract stored(): Promise<void>;
}
