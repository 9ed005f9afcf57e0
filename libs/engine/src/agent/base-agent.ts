import { AdkError, type Content, type Event } from '@skein/contracts';
import { createEventActions } from '../event/create-event';
import { SKIPPED_MODEL } from '../flow/answers-of';
import { traceGenerator } from '../telemetry/trace';
import { type AgentCallback, firstAnswer, type OneOrMany } from './callbacks';
import { Context } from './context';
import { type InvocationContext } from './invocation-context';

export interface BaseAgentConfig {
  readonly name: string;
  readonly description?: string;
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
export abstract class BaseAgent {
  readonly [MARKER] = true;
  readonly name: string;
  readonly description: string;
  readonly #before: BaseAgentConfig['beforeAgentCallback'];
  readonly #after: BaseAgentConfig['afterAgentCallback'];

  constructor(config: BaseAgentConfig) {
    assertAgentName(config.name);
    this.name = config.name;
    this.description = config.description ?? '';
    this.#before = config.beforeAgentCallback;
    this.#after = config.afterAgentCallback;
  }

  /** Runs the agent once, below the given context: before callbacks, its own events, after callbacks (B40). */
  runAsync(parent: InvocationContext): AsyncGenerator<Event, void> {
    const context = parent.enter(this);
    return traceGenerator(
      `invoke_agent ${this.name}`,
      {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': this.name,
        'gen_ai.agent.description': this.description,
        'gen_ai.conversation.id': context.session.id,
      },
      () => this.#run(context),
    );
  }

  protected abstract runAsyncImpl(context: InvocationContext): AsyncGenerator<Event, void>;

  async *#run(context: InvocationContext): AsyncGenerator<Event, void> {
    const before = await this.#callback(context, 'before', this.#before);
    if (before) yield before;
    if (before?.content) return;
    for await (const event of this.runAsyncImpl(context)) {
      context.signal.throwIfAborted();
      yield context.adoptEvent(event);
    }
    const after = await this.#callback(context, 'after', this.#after);
    if (after) yield after;
  }

  async #callback(
    context: InvocationContext,
    kind: 'before' | 'after',
    callbacks: OneOrMany<AgentCallback> | undefined,
  ): Promise<Event | undefined> {
    if (!callbacks) return undefined;
    const step = { stepKey: context.frame.step(kind) };
    const stored = context.storedEvent(step);
    if (stored) return stored;
    const actions = createEventActions();
    const content: Content | undefined = await firstAnswer(callbacks, new Context(context, { actions }));
    if (content) {
      const customMetadata = { [SKIPPED_MODEL]: true };
      return context.createStepEvent(step, {
        content: { role: 'model', ...content },
        actions,
        customMetadata,
      });
    }
    // State that a callback set without saying anything still has to be stored (B40).
    return Object.keys(actions.stateDelta).length > 0
      ? context.createStepEvent(step, { actions })
      : undefined;
  }
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
