import { type Content, type Event, type RunConfig, type Session } from '@skein/contracts';
import { type ArtifactService } from '../artifact/artifact-service';
import { createEvent } from '../event/create-event';
import { answersOf } from '../flow/answers-of';
import { askedEvent, askedOfAgent, hashOf } from '../journal/asked';
import { eventIdOf } from '../journal/event-id';
import { type Course } from '../journal/course';
import { DurableSteps } from '../journal/durable-steps';
import { type Frame } from '../journal/frame';
import { type ReplayOrder } from '../journal/replay-order';
import { frameHere } from '../journal/step-scope';
import { cleanJson } from '../json/clean-json';
import { type MemoryService } from '../memory/memory-service';
import { type PluginManager } from '../plugin/plugin-manager';
import { type AgentStates } from './agent-states';
import { type BaseAgent } from './base-agent';
import { type ContextScope } from './context';
import { type Failures } from './failures';
import { type Invocation } from './invocation';
import { type LlmCallCounter } from './llm-call-counter';
import { openSegment, type SegmentState } from './segment-state';
import {
  type EmptyStep,
  type KnownStep,
  type StepEventParams,
  type StepOfEvent,
  type Writer,
} from './step-of-event';

/** Where an activation differs from the one above it. */
export interface ActivationOverrides {
  readonly branch?: string | undefined;
  readonly signal?: AbortSignal;
}

const MARKER: unique symbol = Symbol.for('skein.InvocationContext');

/** Whether a context's scope is a run in this process, not a tool call carried to a worker. */
export function isInvocationContext(scope: ContextScope): scope is InvocationContext {
  return MARKER in scope;
}

/** One activation of one agent within an invocation. */
export class InvocationContext implements ContextScope {
  readonly [MARKER] = true;
  /** Ends this agent's turn: nothing more is asked or run below this context (B20, B40). Agents beside it go on. */
  endInvocation = false;
  readonly #shared: SegmentState;

  private constructor(
    shared: SegmentState,
    readonly agent: BaseAgent,
    readonly frame: Frame,
    /** Which events this activation sees and writes: dot-separated, longer below parallel agents (B3, B43). */
    readonly branch: string | undefined,
    readonly signal: AbortSignal,
  ) {
    this.#shared = shared;
  }

  static root(
    invocation: Invocation,
    frame: Frame,
    { branch, agentStates }: { branch?: string | undefined; agentStates?: AgentStates | undefined } = {},
  ): InvocationContext {
    const shared = openSegment(invocation, frame, agentStates);
    return new InvocationContext(shared, invocation.app.rootAgent, frame, branch, invocation.signal);
  }

  /** The context of an agent's activation below this one: a frame of its own, everything else shared. */
  enter(agent: BaseAgent, overrides: ActivationOverrides = {}): InvocationContext {
    const frame = this.frame.enter(agent.name, agent);
    const { signal = this.signal } = overrides;
    // Said to be none is none; not said is the one above.
    const branch = 'branch' in overrides ? overrides.branch : this.branch;
    const entered = new InvocationContext(this.#shared, agent, frame, branch, signal);
    entered.endInvocation = this.endInvocation;
    return entered;
  }

  get invocation(): Invocation {
    return this.#shared.invocation;
  }

  get invocationId(): string {
    return this.invocation.invocationId;
  }

  get session(): Session {
    return this.invocation.session;
  }

  get runConfig(): RunConfig {
    return this.#shared.runConfig;
  }

  get rootAgent(): BaseAgent {
    return this.invocation.app.rootAgent;
  }

  get plugins(): PluginManager {
    return this.#shared.plugins;
  }

  get llmCalls(): LlmCallCounter {
    return this.#shared.llmCalls;
  }

  /** In which order what is stored is gone through again. */
  get replay(): ReplayOrder {
    return this.#shared.replay;
  }

  /** The steps of the events that were stored when the run began here, in the order of the log. */
  get storedSteps(): readonly string[] {
    return this.#shared.storedSteps;
  }

  /** Whether what is stored was come to. */
  get course(): Course {
    return this.#shared.course;
  }

  get agentStates(): AgentStates | undefined {
    return this.#shared.agentStates;
  }

  get agentName(): string {
    return this.agent.name;
  }

  /** What the user said, as plugins left it (B48). */
  get userContent(): Content | undefined {
    return this.#shared.userContent;
  }

  set userContent(content: Content | undefined) {
    this.#shared.userContent = content;
  }

  get failures(): Failures {
    return this.#shared.failures;
  }

  /**
   * Resolves when something new may begin below this activation: after a crash, once all that is stored was gone
   * through. Rejects with what ended the activation before the crash, if anything did.
   */
  async beginNew(signal = this.signal): Promise<void> {
    await this.failures.rethrow(this.frame, signal);
    await this.replay.live(signal);
    this.frame.noteNew();
  }

  get artifactService(): ArtifactService | undefined {
    return this.invocation.artifactService;
  }

  get memoryService(): MemoryService | undefined {
    return this.invocation.memoryService;
  }

  /**
   * Runs a function once and keeps what it gave: a run that goes on after a crash gets that, and the function is not run
   * again. For whatever reaches outside or may come out differently. As `Context.step`, under names of this activation.
   */
  async step<T>(name: string, run: () => Promise<T> | T): Promise<T> {
    return this.durableStepsIn(this.frame).step(name, run);
  }

  /** Milliseconds since the epoch; after a crash the same as before it. */
  now(): number {
    return this.durableStepsIn(this.frame).now();
  }

  /** At least 0 and below 1; after a crash the same as before it. */
  random(): number {
    return this.durableStepsIn(this.frame).random();
  }

  /** A random UUID, version 4; after a crash the same as before it. */
  uuid(): string {
    return this.durableStepsIn(this.frame).uuid();
  }

  durableStepsIn(frame: Frame): DurableSteps {
    const { invocationId, journal, now } = this.invocation;
    const here = frameHere(frame);
    return new DurableSteps({
      invocationId,
      journal,
      replay: this.replay,
      frame: here,
      now,
      signal: this.signal,
      // Around all agents only plugins ask.
      activation: this.frame.parent ? this.frame : here,
      course: this.course,
    });
  }

  #hashOf({ stepKey, asked = askedOfAgent(stepKey, this.agent.name) }: StepOfEvent): string | undefined {
    return asked === undefined ? undefined : hashOf(asked);
  }

  /** How many model answers an agent name has given in this session: the ordinal of its next one. */
  answersOf(agentName: string): number {
    const before = this.invocation.answersBefore?.(agentName) ?? 0;
    return before + answersOf(agentName, this.session.events);
  }

  /**
   * The event of a step: its id derives from the step, so a repeat makes the same event. This is the one place where
   * what models, tools and authors made becomes storable: text well-formed and without NUL, depth bounded, keys in the
   * store's order, so that a loaded event equals the live one.
   */
  createStepEvent(step: StepOfEvent, params: StepEventParams = {}, writer: Writer = {}): Event {
    const { author = this.agent.name, branch = this.branch } = writer;
    const event = createEvent({
      // cleanJson keeps the shape of what it is given.
      ...(cleanJson(params) as StepEventParams),
      id: eventIdOf(this.invocationId, step.stepKey),
      invocationId: this.invocationId,
      author,
      ...(branch ? { branch } : {}),
      timestamp: this.invocation.now() / 1000,
    });
    this.#shared.steps.set(event.id, { ...step, hash: this.#hashOf(step) });
    return event;
  }

  /** Comes to a step: its stored event as the agent made it, before on_event changed it. Throws `REPLAY_DIVERGED`. */
  takeStored(step: StepOfEvent): Event | undefined {
    const { stepKey } = step;
    const hash = this.invocation.journal.storedHash(stepKey);
    const event = this.#readStored(step);
    if (!event || hash === undefined || hash === this.#hashOf(step)) return event;
    throw this.course.diverged(
      `${stepKey} (${askedEvent(event)})`,
      `${stepKey} (${step.asked ?? this.agent.name})`,
    );
  }

  #readStored(step: StepOfEvent): Event | undefined {
    const { journal } = this.invocation;
    const event = journal.storedEvent(step.stepKey);
    if (!event) return undefined;
    this.course.unread.read(step.stepKey);
    this.#shared.steps.set(event.id, { ...step, hash: journal.storedHash(step.stepKey) });
    const original = journal.storedRecord('original', step.stepKey);
    // The record was staged from an event of ours.
    return original ? (original.payload as Event) : event;
  }

  /**
   * Comes to a step that ran before the crash and left no event (B18, B29), or to a callback that left all as it was.
   * Answered when the run stands where it stood then.
   */
  async takeEmpty(stepKey: string): Promise<EmptyStep | undefined> {
    const record = this.invocation.journal.storedRecord('empty', stepKey);
    if (!record) return undefined;
    this.course.unread.read(stepKey);
    // Staged below, by this class alone.
    const empty = record.payload as EmptyStep;
    await this.replay.reach(empty.after, this.signal);
    return empty;
  }

  /** Notes that a step ran and left no event, and which calls it settles. */
  stageEmpty(
    stepKey: string,
    { appliedCalls, ...about }: Partial<EmptyStep> & { appliedCalls?: readonly string[] } = {},
  ): void {
    const payload: EmptyStep = { ...about, after: this.replay.position };
    const settles = appliedCalls ? { appliedCalls } : {};
    this.invocation.journal.stageRecord({ stepKey, kind: 'empty', payload, ...settles });
  }

  /** The step of an event, or nothing for an event an agent made on its own. */
  stepOf(event: Pick<Event, 'id'>): KnownStep | undefined {
    return this.#shared.steps.get(event.id);
  }

  /**
   * Gives an event of an author's own making the id and the place of the agent's next `event` step. A piece has the id of
   * the whole event to come (B17), and is no step: how many pieces there are may differ when the run is repeated.
   */
  adoptEvent(event: Event): Event {
    if (this.#shared.steps.has(event.id)) return event;
    const { id: _id, invocationId: _invocationId, timestamp: _timestamp, author, branch, ...params } = event;
    // What createEvent leaves open is the agent's own.
    const writer = { ...(author ? { author } : {}), branch };
    if (event.partial) {
      return this.createStepEvent({ stepKey: this.frame.upcoming('event') }, params, writer);
    }
    const step = { stepKey: this.frame.step('event'), asked: askedEvent(event) };
    const stored = this.takeStored(step);
    if (stored) return stored;
    this.course.assertNoneLeftOut(this.frame, step.stepKey);
    this.frame.noteNew();
    return this.createStepEvent(step, params, writer);
  }
}
