import { AdkError, type Event } from '@skein/contracts';
import { spanOfAgent } from '../telemetry/span-of-agent';
import { traceGenerator } from '../telemetry/trace';
import { assertAgentTree, findAgent } from './agent-tree';
import { type AgentCallback, type OneOrMany } from './callbacks';
import { type ActivationOverrides, type InvocationContext } from './invocation-context';
import { runWithCallbacks } from './run-with-callbacks';

export interface BaseAgentConfig {
  /** An identifier, unique in its tree, not "user" (B45). */
  readonly name: string;
  /** What other agents are told when they may hand over to this one. */
  readonly description?: string;
  readonly subAgents?: readonly BaseAgent[];
  readonly beforeAgentCallback?: OneOrMany<AgentCallback>;
  readonly afterAgentCallback?: OneOrMany<AgentCallback>;
}

const MARKER: unique symbol = Symbol.for('skein.BaseAgent');
const IDENTIFIER = /^[\p{ID_Start}_][\p{ID_Continue}]*$/u;

/** Whether a value is an agent, also when it came from another copy of this package. */
export function isBaseAgent(value: unknown): value is BaseAgent {
  return typeof value === 'object' && value !== null && MARKER in value;
}

/** An agent: a stream of events. Subclasses write `runAsyncImpl`; ids and places in the log are given to them. */
export abstract class BaseAgent<TConfig extends BaseAgentConfig = BaseAgentConfig> {
  readonly [MARKER] = true;
  /** What the agent was made of, for copies of it. */
  protected readonly config: TConfig;
  readonly name: string;
  readonly description: string;
  readonly subAgents: readonly BaseAgent[];
  /** Whether it does one thing after the other, so that nothing new may come before what is stored. @internal */
  readonly inOrder: boolean = false;
  readonly beforeAgentCallback: OneOrMany<AgentCallback> | undefined;
  readonly afterAgentCallback: OneOrMany<AgentCallback> | undefined;
  #parent: BaseAgent | undefined;

  /** Throws `agent.name`, `agent.sub-agent`, `agent.two-parents` or `agent.duplicate-name` (B45). */
  constructor(config: BaseAgentConfig) {
    assertAgentName(config.name);
    // A subclass takes more than is said here; a copy is made of all of it.
    this.config = { ...config } as TConfig;
    this.name = config.name;
    this.description = config.description ?? '';
    this.beforeAgentCallback = config.beforeAgentCallback;
    this.afterAgentCallback = config.afterAgentCallback;
    this.subAgents = Object.freeze([...(config.subAgents ?? [])]);
    for (const child of this.subAgents) assertFree(child, this.name);
    assertAgentTree(this);
    for (const child of this.subAgents) child.#parent = this;
  }

  get parentAgent(): BaseAgent | undefined {
    return this.#parent;
  }

  get rootAgent(): BaseAgent {
    return this.#parent?.rootAgent ?? this;
  }

  /** The agent of that name at or below this one. */
  findAgent(name: string): BaseAgent | undefined {
    return findAgent(this, name);
  }

  /** The agent of that name below this one. */
  findSubAgent(name: string): BaseAgent | undefined {
    return name === this.name ? undefined : findAgent(this, name);
  }

  /**
   * A copy with other settings, below no agent: its class is made anew from what this one was made of, and so are the
   * agents below it unless others are given. Throws `agent.clone` for a `parentAgent` and when its class makes an agent of
   * another name of that, and what the class refuses.
   */
  clone(overrides: Partial<TConfig> = {}): this {
    if ('parentAgent' in overrides) {
      throw new AdkError(
        'invalid',
        'agent.clone',
        `A copy of agent "${this.name}" cannot be put below an agent: that one lists it in its subAgents.`,
      );
    }
    const config: TConfig = { ...this.config, ...overrides };
    const subAgents = overrides.subAgents ?? this.subAgents.map((child) => child.clone());
    // Each agent class is made of its config; one that is not cannot be copied by this.
    const AgentClass = this.constructor as new (config: TConfig) => this;
    const copy = new AgentClass({ ...config, subAgents });
    if (copy.name === config.name) return copy;
    throw new AdkError(
      'invalid',
      'agent.clone',
      `The class of agent "${this.name}" has a constructor of its own that does not take a config: it must override clone().`,
    );
  }

  /** Runs the agent once, below the given context: before callbacks, its own events, after callbacks (B40). */
  runAsync(parent: InvocationContext, overrides: ActivationOverrides = {}): AsyncGenerator<Event, void> {
    const context = parent.enter(this, overrides);
    return traceGenerator(
      `invoke_agent ${this.name}`,
      () => ({
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': this.name,
        'gen_ai.agent.description': this.description,
        'gen_ai.conversation.id': context.session.id,
      }),
      () => runWithCallbacks(this, context, () => this.runAsyncImpl(context)),
      () => spanOfAgent(context),
    );
  }

  /** The event of a before callback that answered in the agent's place, with what the agent would add. @internal */
  inItsPlace(event: Event): Event {
    return event;
  }

  /**
   * Throws `agent.live`: sessions of sound and pictures that go both ways are not here.
   * @refused
   */
  // eslint-disable-next-line require-yield -- it gives nothing, as a stream.
  async *runLive(_parent: InvocationContext): AsyncGenerator<Event, void> {
    throw notLive(this.name);
  }

  /**
   * Never called; an agent written for `@google/adk` has it.
   * @refused
   */
  // eslint-disable-next-line require-yield -- as above.
  protected async *runLiveImpl(_context: InvocationContext): AsyncGenerator<Event, void> {
    throw notLive(this.name);
  }

  /** What the agent does between its callbacks. */
  protected abstract runAsyncImpl(context: InvocationContext): AsyncGenerator<Event, void>;
}

function assertAgentName(name: string): void {
  if (!IDENTIFIER.test(name) || name === 'user') {
    throw new AdkError(
      'invalid',
      'agent.name',
      `"${name}" is not a name for an agent: it must be an identifier, not "user".`,
    );
  }
}

function assertFree(child: unknown, parent: string): asserts child is BaseAgent {
  if (!isBaseAgent(child)) {
    throw new AdkError('invalid', 'agent.sub-agent', `A sub-agent of "${parent}" is not an agent.`);
  }
  if (child.parentAgent) {
    throw new AdkError(
      'invalid',
      'agent.two-parents',
      `Agent "${child.name}" stands below "${child.parentAgent.name}" already; it cannot stand below "${parent}" too.`,
    );
  }
}

function notLive(name: string): AdkError {
  return new AdkError(
    'invalid',
    'agent.live',
    `Agent "${name}" was asked for a live session; there are none here.`,
  );
}
