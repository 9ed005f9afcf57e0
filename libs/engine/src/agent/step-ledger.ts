import { type Event } from '@skein/contracts';
import { createEventActions, type CreateEventParams } from '../event/create-event';
import { askedEvent, askedOfAgent, hashOf, hashOfRepeated } from '../journal/asked';
import { type Course } from '../journal/course';
import { eventIdOf } from '../journal/event-id';
import { type Frame } from '../journal/frame';
import { type ReplayOrder } from '../journal/replay-order';
import { cleanJson } from '../json/clean-json';
import { storableState } from '../state/storable-state';
import { type Invocation } from './invocation';
import {
  type EmptyStep,
  type KnownStep,
  type StepEventParams,
  type StepOfEvent,
  type Writer,
} from './step-of-event';

/** The activation whose steps these are, and what it shares with the others of its segment. */
export interface LedgerPlace {
  readonly invocation: Invocation;
  readonly course: Course;
  readonly replay: ReplayOrder;
  /** The steps of this segment's events, by the id of the event. */
  readonly known: Map<string, KnownStep>;
  readonly agentName: string;
  readonly frame: Frame;
  readonly branch: string | undefined;
  readonly signal: AbortSignal;
}

/** What follows from a step alone: the id of its event, and the hash of what it asks for. */
interface StepIdentity extends Pick<StepOfEvent, 'stepKey' | 'asked'> {
  readonly id: string;
  readonly hash: string | undefined;
}

/** The steps of one activation: what is stored of one is taken from here, what is new becomes an event or a record. */
export class StepLedger {
  /** Of the step that came last: the pieces of an answer are all of one step, and so is the answer. */
  #last: StepIdentity | undefined;

  constructor(private readonly at: LedgerPlace) {}

  /**
   * The event of a step: its id derives from the step, so a repeat makes the same event. This is the one place where
   * what models, tools and authors made becomes storable: text well-formed and without NUL, depth bounded, keys in the
   * store's order, so that a loaded event equals the live one.
   */
  createStepEvent(step: StepOfEvent, params: StepEventParams = {}, writer: Writer = {}): Event {
    const { author = this.at.agentName, branch = this.at.branch } = writer;
    const { id, hash } = this.#identityOf(step);
    // cleanJson keeps the shape of what it is given.
    const cleaned = cleanJson(this.#withStorableState(step, params)) as Partial<Event>;
    // Its own fields first: behind a spread each event would make a hidden class of its own.
    const event: Event = {
      id,
      invocationId: this.at.invocation.invocationId,
      author,
      timestamp: this.at.invocation.now() / 1000,
      ...cleaned,
      actions: createEventActions(cleaned.actions),
    };
    if (branch) event.branch = branch;
    this.at.known.set(id, { hash, ...step });
    return event;
  }

  /** The id that the event of a step has, or will have. */
  idOf(step: StepOfEvent): string {
    return this.#identityOf(step).id;
  }

  /** Comes to a step: its stored event as the agent made it, before on_event changed it. Throws `REPLAY_DIVERGED`. */
  takeStored(step: StepOfEvent): Event | undefined {
    const { stepKey } = step;
    const hash = this.at.invocation.journal.storedHash(stepKey);
    const event = this.#readStored(step);
    if (!event || hash === undefined || hash === this.#hashOf(step)) return event;
    throw this.at.course.diverged(
      `${stepKey} (${askedEvent(event)})`,
      `${stepKey} (${step.asked ?? this.at.agentName})`,
    );
  }

  /**
   * Comes to a step that ran before the crash and left no event (B18, B29), or to a callback that left all as it was.
   * Answered when the run stands where it stood then; at once where there is none.
   */
  takeEmpty(stepKey: string): Promise<EmptyStep> | undefined {
    const record = this.at.invocation.journal.storedRecord('empty', stepKey);
    // Staged below, by this class alone.
    return record && this.#reached(stepKey, record.payload as EmptyStep);
  }

  async #reached(stepKey: string, empty: EmptyStep): Promise<EmptyStep> {
    this.at.course.unread.read(stepKey);
    await this.at.replay.reach(empty.after, this.at.signal);
    return empty;
  }

  /** Notes that a step ran and left no event, and which calls it settles. */
  stageEmpty(
    stepKey: string,
    { appliedCalls, ...about }: Partial<EmptyStep> & { appliedCalls?: readonly string[] } = {},
  ): void {
    const payload: EmptyStep = { ...about, after: this.at.replay.position };
    const settles = appliedCalls ? { appliedCalls } : {};
    this.at.invocation.journal.stageRecord({ stepKey, kind: 'empty', payload, ...settles });
  }

  /** The step of an event, or nothing for an event an agent made on its own. */
  stepOf(event: Pick<Event, 'id'>): KnownStep | undefined {
    return this.at.known.get(event.id);
  }

  /**
   * Gives an event of an author's own making the id and the place of the agent's next `event` step. A piece has the id of
   * the whole event to come (B17), and is no step: how many pieces there are may differ when the run is repeated.
   */
  adoptEvent(event: Event): Event {
    if (this.at.known.has(event.id)) return event;
    const { id: _id, invocationId: _invocationId, timestamp: _timestamp, author, branch, ...params } = event;
    // What createEvent leaves open is the agent's own.
    const writer = { ...(author ? { author } : {}), branch };
    if (event.partial) {
      return this.createStepEvent({ stepKey: this.at.frame.upcoming('event') }, params, writer);
    }
    const step = { stepKey: this.at.frame.step('event'), asked: askedEvent(event) };
    const stored = this.takeStored(step);
    if (stored) return stored;
    this.at.course.assertNoneLeftOut(this.at.frame, step.stepKey);
    this.at.frame.noteNew();
    return this.createStepEvent(step, params, writer);
  }

  /** Before the rest of it, which would lose what JSON cannot say. A piece is not stored: its whole event comes here too. */
  #withStorableState({ stepKey }: StepOfEvent, params: StepEventParams): StepEventParams {
    // Omit forgets the fields of what may have others too.
    const { actions = {}, partial } = params as Pick<CreateEventParams, 'actions' | 'partial'>;
    const { stateDelta = {} } = actions;
    if (partial || Object.keys(stateDelta).length === 0) return params;
    const setBy = `agent '${this.at.agentName}' (${stepKey})`;
    return { ...params, actions: { ...actions, stateDelta: storableState(stateDelta, setBy) } };
  }

  #readStored(step: StepOfEvent): Event | undefined {
    const { journal } = this.at.invocation;
    const event = journal.storedEvent(step.stepKey);
    if (!event) return undefined;
    this.at.course.unread.read(step.stepKey);
    this.at.known.set(event.id, { ...step, hash: journal.storedHash(step.stepKey) });
    const original = journal.storedRecord('original', step.stepKey);
    // The record was staged from an event of ours.
    return original ? (original.payload as Event) : event;
  }

  #identityOf(step: StepOfEvent): StepIdentity {
    const { stepKey, asked } = step;
    if (this.#last?.stepKey === stepKey && this.#last.asked === asked) return this.#last;
    const id = eventIdOf(this.at.invocation.invocationId, stepKey);
    return (this.#last = { stepKey, asked, id, hash: this.#hashOf(step) });
  }

  #hashOf({ stepKey, asked }: StepOfEvent): string | undefined {
    if (asked !== undefined) return hashOf(asked);
    const ofAgent = askedOfAgent(stepKey, this.at.agentName);
    return ofAgent === undefined ? undefined : hashOfRepeated(ofAgent);
  }
}
