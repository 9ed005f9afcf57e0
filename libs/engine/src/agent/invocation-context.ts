import { type Content, type Event, type RunConfig, type Session } from '@skein/contracts';
import { type ArtifactService } from '../artifact/artifact-service';
import { createEvent, type CreateEventParams } from '../event/create-event';
import { eventIdOf } from '../journal/event-id';
import { type Frame } from '../journal/frame';
import { cleanJson } from '../json/clean-json';
import { type Journal } from '../journal/journal';
import { type ToolExecutor } from '../tool/tool-executor';
import { type BaseAgent } from './base-agent';
import { type ContextScope } from './context';
import { LlmCallCounter } from './llm-call-counter';

/** What one invocation is made of; shared by every agent that takes part. */
export interface Invocation {
  readonly invocationId: string;
  readonly session: Session;
  readonly userContent?: Content | undefined;
  readonly runConfig: RunConfig;
  readonly journal: Journal;
  readonly toolExecutor: ToolExecutor;
  readonly artifactService?: ArtifactService | undefined;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. The engine reads no clock of its own. */
  readonly now: () => number;
}

/** The step an event comes from, and the calls whose responses it carries. */
export interface StepOfEvent {
  readonly stepKey: string;
  readonly appliedCalls?: readonly string[];
}

type StepEventParams = Omit<CreateEventParams, 'id' | 'invocationId' | 'timestamp' | 'branch' | 'author'>;

/** One activation of one agent within an invocation. */
export class InvocationContext implements ContextScope {
  readonly #steps: Map<string, StepOfEvent>;

  private constructor(
    readonly invocation: Invocation,
    readonly agent: BaseAgent,
    readonly frame: Frame,
    readonly llmCalls: LlmCallCounter,
    steps: Map<string, StepOfEvent>,
  ) {
    this.#steps = steps;
  }

  static root(invocation: Invocation, agent: BaseAgent, frame: Frame): InvocationContext {
    return new InvocationContext(
      invocation,
      agent,
      frame,
      new LlmCallCounter(invocation.runConfig.maxLlmCalls),
      new Map(),
    );
  }

  /** The context of an agent's activation below this one: a frame of its own, everything else shared. */
  enter(agent: BaseAgent): InvocationContext {
    return new InvocationContext(
      this.invocation,
      agent,
      this.frame.enter(agent.name),
      this.llmCalls,
      this.#steps,
    );
  }

  get invocationId(): string {
    return this.invocation.invocationId;
  }

  get session(): Session {
    return this.invocation.session;
  }

  get agentName(): string {
    return this.agent.name;
  }

  get userContent(): Content | undefined {
    return this.invocation.userContent;
  }

  get artifactService(): ArtifactService | undefined {
    return this.invocation.artifactService;
  }

  get signal(): AbortSignal {
    return this.invocation.signal;
  }

  /**
   * The event of a step, written by this agent: its id derives from the step, so a repeat makes the same event. This is
   * the one place where what models, tools and authors made becomes storable: text well-formed and without NUL, depth
   * bounded, keys in the store's order, so that a loaded event equals the live one.
   */
  createStepEvent(step: StepOfEvent, params: StepEventParams = {}): Event {
    const event = createEvent({
      // cleanJson keeps the shape of what it is given.
      ...(cleanJson(params) as StepEventParams),
      id: eventIdOf(this.invocationId, step.stepKey),
      invocationId: this.invocationId,
      author: this.agent.name,
      timestamp: this.invocation.now() / 1000,
    });
    this.#steps.set(event.id, step);
    return event;
  }

  /** The event an earlier owner of this run stored for a step, as it is. */
  storedEvent(step: StepOfEvent): Event | undefined {
    const event = this.invocation.journal.storedEvent(step.stepKey);
    if (event) this.#steps.set(event.id, step);
    return event;
  }

  /** The step of an event, or nothing for an event an agent made on its own. */
  stepOf(event: Event): StepOfEvent | undefined {
    return this.#steps.get(event.id);
  }

  /** Gives an event of an author's own making the id and the place of the agent's next `event` step. */
  adoptEvent(event: Event): Event {
    if (this.#steps.has(event.id)) return event;
    const step = { stepKey: this.frame.step('event') };
    const { id: _id, invocationId: _invocationId, timestamp: _timestamp, author, ...params } = event;
    return this.storedEvent(step) ?? { ...this.createStepEvent(step, params), author };
  }
}
