import {
  type App,
  type BaseAgent,
  type BasePlugin,
  type Content,
  type Event,
  type FunctionCall,
  InMemoryRunner,
  isBaseAgent,
  type Part,
  REQUEST_CONFIRMATION_FUNCTION_CALL_NAME,
  type RunConfig,
  type Session,
} from '@skein/adk';
import { type AgentRun, finalTextOf, openCallsOf } from './agent-run';

export interface AgentSessionOptions {
  /** What the session's state begins with. */
  readonly state?: Readonly<Record<string, unknown>>;
  /** Beside those of an app; only with a bare agent. */
  readonly plugins?: readonly BasePlugin[];
  readonly runConfig?: Partial<RunConfig>;
  /** Milliseconds since the epoch, for events whose time a test compares. */
  readonly now?: () => number;
}

/** A conversation with an agent, in this process and in memory. */
export class AgentSession {
  readonly runner: InMemoryRunner;
  readonly #options: AgentSessionOptions;
  readonly #key: { readonly appName: string; readonly userId: string; readonly sessionId: string };
  #isCreated = false;

  constructor(agent: BaseAgent | App, options: AgentSessionOptions = {}) {
    const { plugins, now } = options;
    this.runner = new InMemoryRunner({
      ...(isBaseAgent(agent) ? { agent, appName: 'test', ...(plugins ? { plugins } : {}) } : { app: agent }),
      ...(now ? { now } : {}),
    });
    this.#options = options;
    this.#key = { appName: this.runner.appName, userId: 'user', sessionId: 'session' };
  }

  /** Sends a message, and settles with what came of it; a run that fails settles too, with `error`. */
  async say(message: string | Content): Promise<AgentRun> {
    const newMessage = typeof message === 'string' ? { role: 'user', parts: [{ text: message }] } : message;
    const { events, pieces, error } = await this.#run(newMessage);
    const { state } = await this.#session();
    return {
      events,
      pieces,
      finalText: finalTextOf(events),
      state,
      artifacts: await this.#artifacts(),
      error,
    };
  }

  /** Answers the call of a tool that takes long; the oldest one that is open, when no name is given. */
  async answer(response: Readonly<Record<string, unknown>>, toolName?: string): Promise<AgentRun> {
    const { id = '', name } = await this.#openCall(toolName);
    return this.say({
      role: 'user',
      parts: [{ functionResponse: { id, name, response: { ...response } } }],
    });
  }

  /** Says yes or no to the tool that asked for a confirmation. */
  async confirm(confirmed = true, payload?: unknown): Promise<AgentRun> {
    const response = { confirmed, ...(payload === undefined ? {} : { payload }) };
    return this.answer(response, REQUEST_CONFIRMATION_FUNCTION_CALL_NAME);
  }

  async #openCall(toolName: string | undefined): Promise<FunctionCall> {
    const open = openCallsOf((await this.#session()).events);
    const found = open.find(({ name }) => toolName === undefined || name === toolName);
    if (found) return found;
    const waiting = open.map(({ name }) => name).join(', ') || 'none';
    throw new Error(`No open call${toolName ? ` of ${toolName}` : ''} to answer; open: ${waiting}.`);
  }

  async #run(newMessage: Content): Promise<Pick<AgentRun, 'events' | 'pieces' | 'error'>> {
    await this.#session();
    const { userId, sessionId } = this.#key;
    const { runConfig } = this.#options;
    const events: Event[] = [];
    const pieces: Event[] = [];
    let error: Error | undefined;
    try {
      const params = { userId, sessionId, newMessage, ...(runConfig ? { runConfig } : {}) };
      for await (const event of this.runner.runAsync(params)) (event.partial ? pieces : events).push(event);
    } catch (thrown) {
      // What the log tells of is the agent's; anything else is the test's own mistake.
      if (events.at(-1)?.errorCode === undefined) throw thrown;
      error = thrown instanceof Error ? thrown : new Error(String(thrown));
    }
    return { events, pieces, error };
  }

  async #session(): Promise<Session> {
    const { sessionService } = this.runner;
    if (!this.#isCreated)
      await sessionService.createSession({ ...this.#key, state: { ...this.#options.state } });
    this.#isCreated = true;
    const session = await sessionService.getSession(this.#key);
    if (!session) throw new Error('The session was deleted.');
    return session;
  }

  async #artifacts(): Promise<Record<string, Part>> {
    const { artifactService } = this.runner;
    if (!artifactService) return {};
    const artifacts: Record<string, Part> = {};
    for (const filename of await artifactService.listArtifactKeys(this.#key)) {
      const part = await artifactService.loadArtifact({ ...this.#key, filename });
      if (part) artifacts[filename] = part;
    }
    return artifacts;
  }
}

/** What comes of one message to an agent, in a session of its own. */
export async function runAgent(
  agent: BaseAgent | App,
  message: string | Content,
  options?: AgentSessionOptions,
): Promise<AgentRun> {
  return new AgentSession(agent, options).say(message);
}
