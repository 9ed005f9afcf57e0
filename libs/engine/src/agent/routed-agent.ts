import { AdkError, type ErrorKind, type Event } from '@skein/contracts';
import { asError } from '../error/describe-error';
import { isDivergence } from '../journal/divergence';
import { isTooDeep } from '../journal/frame';
import { BaseAgent, type BaseAgentConfig } from './base-agent';
import { endOfAgentEvent, isCheckpoint, isPaused, stateEvent } from './checkpoint';
import { type InvocationContext } from './invocation-context';

/** The agents to choose from, by key. */
export type RoutedAgents = Readonly<Record<string, BaseAgent>>;

interface ErrorContext {
  failedKeys: ReadonlySet<string>;
  lastError: unknown;
}

/**
 * Chooses the agent that runs by its key. It is asked again with an `errorContext` when the chosen one failed before
 * anything of it was shown; nothing, or a key that failed already, leaves the error as it is.
 */
export type AgentRouter = (
  agents: RoutedAgents,
  context: InvocationContext,
  errorContext?: ErrorContext,
) => Promise<string | undefined> | string | undefined;

export interface RoutedAgentConfig extends BaseAgentConfig {
  /** A list is keyed by the agents' names. These are the sub-agents; `subAgents` counts for nothing. */
  readonly agents: RoutedAgents | readonly BaseAgent[];
  readonly router: AgentRouter;
}

/** The name of the step that keeps a choice. */
const ROUTE = 'route';
/** As much of a wrong key as is told. */
const MAX_KEY = 100;

/**
 * Runs one of its agents, chosen by a function each time; another one when the first fails before it showed anything. A
 * choice is a step: a run that is taken over goes the way it went, and the router is not asked again.
 */
export class RoutedAgent extends BaseAgent<RoutedAgentConfig> {
  override readonly inOrder = true;
  readonly #agents: RoutedAgents;
  readonly #router: AgentRouter;

  /** Throws `agent.no-route` when there is no agent or no router, and what `BaseAgent` throws. */
  constructor(config: RoutedAgentConfig) {
    const { agents, router } = config;
    super({ ...config, subAgents: listed(config.name, agents) });
    if (typeof router !== 'function') throw noRoute(`Agent "${this.name}" needs a router, a function.`);
    this.#agents = isList(agents)
      ? Object.fromEntries(agents.map((agent) => [agent.name, agent]))
      : { ...agents };
    this.#router = router;
  }

  /** A copy of the agent and of those it chooses from, unless others are given. */
  override clone(overrides: Partial<RoutedAgentConfig> = {}): this {
    return super.clone({ agents: copied(this.config.agents), subAgents: [], ...overrides });
  }

  protected override async *runAsyncImpl(context: InvocationContext): AsyncGenerator<Event, void> {
    const failedKeys = new Set<string>();
    const resumed = this.#chosenBefore(context);
    let key = resumed ?? (await this.#firstChoice(context));
    for (;;) {
      const agent = this.#agentOf(key, context);
      // One that goes on after a pause has spoken before it.
      const progress = { isShown: key === resumed };
      try {
        yield* this.#runOne(agent, context, progress);
        break;
      } catch (lastError) {
        context.signal.throwIfAborted();
        // Another agent would go the same wrong way.
        if (isDivergence(lastError) || isTooDeep(lastError)) throw lastError;
        failedKeys.add(key);
        const errorContext = { failedKeys: new Set(failedKeys), lastError };
        const next = await this.#nextChoice(context, progress, errorContext);
        if (next === undefined) throw lastError;
        key = next;
      }
    }
    if (isPaused(context)) return;
    const end = endOfAgentEvent(context);
    if (end) yield end;
  }

  /** Runs the chosen agent, and notes that something of it was shown. */
  async *#runOne(
    agent: BaseAgent,
    context: InvocationContext,
    progress: { isShown: boolean },
  ): AsyncGenerator<Event, void> {
    const checkpoint = stateEvent(context, { currentSubAgent: agent.name });
    if (checkpoint) yield checkpoint;
    for await (const event of agent.runAsync(context)) {
      progress.isShown ||= !isCheckpoint(event);
      yield event;
    }
  }

  /** The key of the agent that a resumable app waited in (B54). */
  #chosenBefore(context: InvocationContext): string | undefined {
    const current = context.agentStates?.of(this.name)?.currentSubAgent;
    return Object.keys(this.#agents).find((key) => this.#agents[key]?.name === current);
  }

  async #firstChoice(context: InvocationContext): Promise<string> {
    return context.step(ROUTE, async () => {
      const key = await this.#ask(context);
      if (key === undefined) throw noRoute(`The router of agent "${this.name}" chose no agent.`);
      return key;
    });
  }

  /** The key of the one to try after a failure; none when the failure stands. */
  async #nextChoice(
    context: InvocationContext,
    { isShown }: { isShown: boolean },
    failure: ErrorContext,
  ): Promise<string | undefined> {
    // Also that it stands is kept: pieces that were shown are not shown again by a later run.
    return context.step(ROUTE, async () => {
      const key = isShown ? undefined : await this.#ask(context, failure);
      return key !== undefined && failure.failedKeys.has(key) ? undefined : key;
    });
  }

  /** The key that the router gives; none when it gives nothing. */
  async #ask(context: InvocationContext, failure?: ErrorContext): Promise<string | undefined> {
    const key: unknown = await this.#routerSays(context, failure);
    if (key === undefined || key === null || key === '') return undefined;
    if (typeof key === 'string' && Object.hasOwn(this.#agents, key)) return key;
    const told = typeof key === 'string' ? `"${key.slice(0, MAX_KEY)}"` : `a ${typeof key}`;
    throw noRoute(`The router of agent "${this.name}" chose ${told}, which is none of its agents.`);
  }

  async #routerSays(context: InvocationContext, failure: ErrorContext | undefined): Promise<unknown> {
    try {
      return await (failure
        ? this.#router(this.#agents, context, failure)
        : this.#router(this.#agents, context));
    } catch (thrown) {
      context.signal.throwIfAborted();
      if (AdkError.isInstance(thrown)) throw thrown;
      const { name, message } = asError(thrown);
      throw noRoute(`The router of agent "${this.name}" threw ${name}: ${message}`, 'internal', thrown);
    }
  }

  #agentOf(key: string, context: InvocationContext): BaseAgent {
    const agent = Object.hasOwn(this.#agents, key) ? this.#agents[key] : undefined;
    if (agent) return agent;
    // It was there when it was chosen.
    throw context.course.diverged(`the choice of "${key}"`, `one of ${Object.keys(this.#agents).join(', ')}`);
  }
}

function listed(name: string, agents: RoutedAgents | readonly BaseAgent[]): readonly BaseAgent[] {
  // Also what a file without types hands over.
  const found: unknown = agents;
  const all = typeof found === 'object' && found !== null ? Object.values<BaseAgent>(agents) : [];
  if (all.length === 0) throw noRoute(`Agent "${name}" has no agents to choose from.`);
  return all;
}

function copied(agents: RoutedAgentConfig['agents']): RoutedAgentConfig['agents'] {
  if (isList(agents)) return agents.map((agent) => agent.clone());
  return Object.fromEntries(Object.entries(agents).map(([key, agent]) => [key, agent.clone()]));
}

function isList(agents: RoutedAgents | readonly BaseAgent[]): agents is readonly BaseAgent[] {
  return Array.isArray(agents);
}

function noRoute(message: string, kind: ErrorKind = 'invalid', cause?: unknown): AdkError {
  return new AdkError(kind, 'agent.no-route', message, cause === undefined ? undefined : { cause });
}
