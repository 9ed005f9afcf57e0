import { type Content, type RunConfig, type Session } from '@skein/contracts';
import { type ArtifactService } from '../artifact/artifact-service';
import { answersOf } from '../flow/answers-of';
import { type Course } from '../journal/course';
import { DurableSteps } from '../journal/durable-steps';
import { type Frame } from '../journal/frame';
import { type ReplayOrder } from '../journal/replay-order';
import { frameHere } from '../journal/step-scope';
import { type MemoryService } from '../memory/memory-service';
import { type PluginManager } from '../plugin/plugin-manager';
import { type AgentStates } from './agent-states';
import { type BaseAgent } from './base-agent';
import { type ContextScope } from './context-scope';
import { type Failures } from './failures';
import { type Invocation } from './invocation';
import { type LlmCallCounter } from './llm-call-counter';
import { openSegment, type SegmentState } from './segment-state';
import { StepLedger } from './step-ledger';

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
  /** The steps of this activation. */
  readonly ledger: StepLedger;

  private constructor(
    shared: SegmentState,
    readonly agent: BaseAgent,
    readonly frame: Frame,
    /** Which events this activation sees and writes: dot-separated, longer below parallel agents (B3, B43). */
    readonly branch: string | undefined,
    readonly signal: AbortSignal,
  ) {
    this.#shared = shared;
    const { invocation, course, replay, steps: known } = shared;
    const agentName = agent.name;
    this.ledger = new StepLedger({ invocation, course, replay, known, agentName, frame, branch, signal });
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

  get appName(): string {
    return this.session.appName;
  }

  get userId(): string {
    return this.session.userId;
  }

  /** `signal`, by the name that `@google/adk` has for it. */
  get abortSignal(): AbortSignal {
    return this.signal;
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

  /** `plugins`, by the name that `@google/adk` has for them. */
  get pluginManager(): PluginManager {
    return this.plugins;
  }

  get llmCalls(): LlmCallCounter {
    return this.#shared.llmCalls;
  }

  /** Counts a model call that the author's code makes itself. Throws once there are more than the run may make (B22). */
  incrementLlmCallCount(): void {
    this.llmCalls.count();
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
   * through. Rejects with what ended the activation before the crash, if anything did. Answers nothing where it may begin at
   * once, as in all but a few runs.
   */
  beginNew(signal = this.signal): Promise<void> | undefined {
    const before = this.failures.rethrow(this.frame, signal) ?? this.replay.live(signal);
    if (before) return before.then(() => this.frame.noteNew());
    this.frame.noteNew();
    return undefined;
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

  /** How many model answers an agent name has given in this session: the ordinal of its next one. */
  answersOf(agentName: string): number {
    const before = this.invocation.answersBefore?.(agentName) ?? 0;
    return before + answersOf(agentName, this.session.events);
  }
}
