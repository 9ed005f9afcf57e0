import {
  AdkError,
  type AnsweredCall,
  type Appended,
  type AppendUnit,
  type CallRow,
  type Finish,
  isTransient,
  type StepRecord,
  type Ticket,
  type UnitEvent,
} from '@skein/contracts';
import { observed, traced } from '@skein/engine';
import { type AppendUnitClient } from './append-unit-client';
import { type GivenContext, type StagedCall, toSending, wantedOf } from './staged-call';
import { UnitSender } from './unit-sender';

/** Whose units these are: the fence names the owner and the epoch of the claim. */
export type UnitOwner = Pick<
  AppendUnit,
  'appName' | 'userId' | 'sessionId' | 'invocationId' | 'runnerId' | 'epoch' | 'segment' | 'isGuessed'
>;

type Draft = Pick<AppendUnit, 'events' | 'records' | 'appliedCalls'> & {
  answered?: AnsweredCall[];
  readonly calls: StagedCall[];
  finish?: Finish;
};

export interface AppendPipelineParams {
  readonly owner: UnitOwner;
  readonly client: AppendUnitClient;
  /** The session's head when the invocation was handed over. */
  readonly lastSeq: number;
  /** Aborted when the lease is lost; units stop leaving. */
  readonly signal: AbortSignal;
  readonly onCancelRequested: () => void;
  /** Others wrote to the session: what is stored up to `lastSeq` is not only ours. The unit's answer waits for it. */
  readonly onForeignEvents?: (lastSeq: number) => Promise<void>;
}

/**
 * Sends what one invocation stages, in order. All that is staged in one turn of the event loop leaves as one unit, and
 * a unit does not wait for the one before: the store keeps their order by `appendNo`. After a refused unit nothing more
 * is sent, and everything staged later rejects with the same reason.
 */
export class AppendPipeline {
  #draft: { unit: Draft; sent: Promise<Appended> } | undefined;
  #appendNo = 0;
  #storedNo = 0;
  #lastSeq: number;
  /** Events in the units that left, and in those of them that are stored. */
  #sentEvents = 0;
  #storedEvents = 0;
  /** Events of others that were told of. */
  #foreignEvents = 0;
  #tail: Promise<unknown> = Promise.resolve();
  readonly #sender: UnitSender;
  /** What was staged and refused, in order. */
  #lost: UnitEvent[] = [];
  readonly #applications = new Map<string, Application>();
  /** Which attempt answered each call that is not staged as applied yet. */
  readonly #answers = new Map<string, string>();

  constructor(private readonly params: AppendPipelineParams) {
    this.#lastSeq = params.lastSeq;
    this.#sender = new UnitSender(params.client, params.signal);
  }

  /** The session's head after the last unit that was answered. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Readers were sent pieces of an event: it, and what comes after it, is stored behind them, so that they have the pieces first. */
  followSent(): void {
    this.#sender.followSent();
  }

  stageEvent(event: UnitEvent): void {
    this.#open().unit.events.push(event);
  }

  /** Settles calls: their result is in what is staged beside, and need not be kept. */
  stageApplied(appliedCalls: readonly string[]): void {
    const { unit, sent } = this.#open();
    for (const dispatchId of appliedCalls) {
      unit.appliedCalls.push(dispatchId);
      const attempt = this.#answers.get(dispatchId);
      if (attempt !== undefined) (unit.answered ??= []).push({ dispatchId, attempt });
      this.#answers.delete(dispatchId);
      this.#applicationOf(dispatchId).resolve(sent);
    }
  }

  /** A tool answered this call, by this attempt: to be said where the call is staged as applied. */
  answeredBy(dispatchId: string, attempt: string): void {
    this.#answers.set(dispatchId, attempt);
  }

  stageRecord(record: StepRecord): void {
    this.#open().unit.records.push(record);
  }

  /**
   * Stores a call, and has it sent as soon as it may be; answers the ticket it is sent with, or nothing when it has to wait for
   * its turn. What it is sent with is asked for when its unit leaves: a call that has none by then is not stored, since nobody
   * would run it and it would keep its place in the pool.
   */
  async stageCall(row: CallRow, context: () => GivenContext | undefined): Promise<Ticket | undefined> {
    const { unit, sent } = this.#open();
    unit.calls.push({ row, context });
    const { tickets } = await sent;
    return tickets.find(({ dispatchId }) => dispatchId === row.dispatchId);
  }

  /** Ends the invocation in one unit with all that is staged in this turn of the event loop. */
  async finish(finish: Finish): Promise<void> {
    const { unit, sent } = this.#open();
    unit.finish = finish;
    await sent;
  }

  /** Resolves when everything staged so far is stored. */
  async stored(): Promise<void> {
    await this.#tail;
  }

  /**
   * Makes the pipeline usable again after a refused unit, to store how the run failed: once every unit in flight was
   * answered, the next one takes the number of the refused one. Answers the events that were not stored, in order.
   */
  async reopen(): Promise<UnitEvent[]> {
    await this.#tail.catch(() => undefined);
    this.#sender.reopen();
    this.#appendNo = this.#storedNo;
    this.#sentEvents = this.#storedEvents;
    this.#tail = Promise.resolve();
    return this.#lost.splice(0);
  }

  /** Resolves when a unit that applies this call is stored, also when that unit is not staged yet. */
  async whenApplied(dispatchId: string): Promise<void> {
    await this.#applicationOf(dispatchId).stored;
  }

  #applicationOf(dispatchId: string): Application {
    const known = this.#applications.get(dispatchId);
    if (known) return known;
    const application = createApplication();
    this.#applications.set(dispatchId, application);
    return application;
  }

  #open(): { unit: Draft; sent: Promise<Appended> } {
    if (this.#draft) return this.#draft;
    const unit: Draft = { events: [], records: [], calls: [], appliedCalls: [] };
    // Not a timer: it runs as soon as what is runnable now has run, so a model that answers at once shares the unit.
    const sent = new Promise<void>((resolve) => void setImmediate(resolve)).then(() => this.#send(unit));
    const before = this.#tail;
    // Settles after every unit before it too, in success and in failure.
    this.#tail = Promise.allSettled([before, sent])
      .then(() => before)
      .then(() => sent);
    // The refusal reaches whoever awaits the unit; without this it would also be an unhandled rejection.
    this.#tail.catch(() => undefined);
    this.#draft = { unit, sent };
    return this.#draft;
  }

  async #send(unit: Draft): Promise<Appended> {
    this.#draft = undefined;
    if (this.#sender.refusal) {
      this.#lost.push(...unit.events);
      throw this.#sender.refusal;
    }
    const appendNo = ++this.#appendNo;
    const ownEvents = (this.#sentEvents += unit.events.length);
    try {
      const whole = this.#wholeOf(unit, appendNo);
      const attributes = attributesOf(whole);
      const append = (): Promise<Appended> => this.#sender.send(whole);
      const appended = await traced('append', attributes, () => observed('append', attributes, append));
      // Answers may overtake each other.
      this.#storedNo = Math.max(this.#storedNo, appendNo);
      this.#lastSeq = Math.max(this.#lastSeq, appended.lastSeq);
      this.#storedEvents = Math.max(this.#storedEvents, ownEvents);
      await this.#noticeForeign(appended.lastSeq, ownEvents);
      if (appended.cancelRequested) this.params.onCancelRequested();
      return appended;
    } catch (error) {
      this.#sender.refuse(error);
      this.#lost.push(...unit.events);
      throw error;
    }
  }

  #wholeOf(unit: Draft, appendNo: number): AppendUnit {
    const wanted = wantedOf(unit.calls);
    const calls = wanted.map(({ row }) => row);
    const sending = wanted.length > 0 ? { sending: toSending(wanted) } : {};
    // Not a spread first: V8 would give each such object a hidden class of its own, which takes 20 times as long.
    return { appendNo, ...this.params.owner, ...unit, calls, ...sending };
  }

  /** Whatever of the head is not ours was written by others; what cannot be loaded now is, after the next unit. */
  async #noticeForeign(lastSeq: number, ownEvents: number): Promise<void> {
    const foreignEvents = lastSeq - this.params.lastSeq - ownEvents;
    if (foreignEvents <= this.#foreignEvents) return;
    try {
      await this.params.onForeignEvents?.(lastSeq);
      this.#foreignEvents = Math.max(this.#foreignEvents, foreignEvents);
    } catch (error) {
      if (!isTransient(error)) throw error;
    }
  }
}

/** Under the names the engine's own operations have. */
function attributesOf({
  invocationId,
  sessionId,
  appendNo,
  events,
}: AppendUnit): Record<string, string | number> {
  return {
    'gcp.vertex.agent.invocation_id': invocationId,
    'gcp.vertex.agent.session_id': sessionId,
    'skein.append.no': appendNo,
    'skein.append.events': events.length,
  };
}

interface Application {
  readonly stored: Promise<Appended>;
  readonly resolve: (sent: Promise<Appended>) => void;
}

function createApplication(): Application {
  let resolve: Application['resolve'] = () => undefined;
  const stored = new Promise<Appended>((settle) => (resolve = settle));
  // Whoever asked for it sees the refusal; nobody has to ask.
  stored.catch(() => undefined);
  return { stored, resolve };
}

/** Whether the store refused an end because a cancel was asked for: the run is to end as cancelled. */
export function isCancelRequested(error: unknown): boolean {
  return AdkError.isInstance(error) && error.code === 'append.cancel-requested';
}

/** Whether the store said that this runner does not own the session any more. */
export function isFenced(error: unknown): boolean {
  return AdkError.isInstance(error) && error.code === 'append.fenced';
}
