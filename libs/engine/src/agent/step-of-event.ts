import { type Event } from '@skein/contracts';
import { type CreateEventParams } from '../event/create-event';
import { type Asked } from '../journal/asked';

/** The step an event comes from, and the calls whose responses it carries. */
export interface StepOfEvent {
  readonly stepKey: string;
  readonly appliedCalls?: readonly string[];
  /** What it asks for, where its kind and its agent are not all of it. */
  readonly asked?: Asked;
}

/** A step with the hash of what it asked for. */
export type KnownStep = StepOfEvent & { readonly hash?: string | undefined };

/** A step that left no event. */
export interface EmptyStep {
  /** Events of the segment that were in the log by then. */
  readonly after: number;
  /** A callback answered in the model's place, and said nothing. */
  readonly skippedModel?: boolean;
}

/** Whose event it is, where that is not the agent of the context itself. */
export type Writer = Partial<Pick<Event, 'author' | 'branch'>>;

/** What a step says of its event; the rest follows from the step. */
export type StepEventParams = Omit<
  CreateEventParams,
  'id' | 'invocationId' | 'timestamp' | 'branch' | 'author'
>;
