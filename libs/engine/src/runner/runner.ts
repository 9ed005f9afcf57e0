import { randomUUID } from 'node:crypto';
import {
  AdkError,
  type Content,
  type Event,
  runConfigSchema,
  type RunConfig,
  type Session,
} from '@skein/contracts';
import { type BaseAgent } from '../agent/base-agent';
import { type Invocation } from '../agent/invocation-context';
import { App, type RunnableApp } from '../app/app';
import { type ArtifactService } from '../artifact/artifact-service';
import { systemClock } from '../clock/system-clock';
import { applyRewinds } from '../flow/contents/apply-rewinds';
import { SessionServiceJournal } from '../journal/session-service-journal';
import { type MemoryService } from '../memory/memory-service';
import { type BasePlugin } from '../plugin/base-plugin';
import { type SessionService } from '../session/session-service';
import { type StateRecord } from '../state/state-scope';
import { traceGenerator } from '../telemetry/trace';
import { InProcessToolExecutor } from '../tool/in-process-tool-executor';
import { type ToolExecutor } from '../tool/tool-executor';
import { answeredCallEvent } from './answered-call';
import { checkMessage } from './check-message';
import { closeRunner } from './close-runner';
import { rewindSession } from './rewind-session';
import { runInvocation } from './run-invocation';

export interface RunnerConfig {
  /** The app's name when absent. */
  readonly appName?: string;
  /** An app, or an agent with the plugins beside it. */
  readonly app?: App;
  readonly agent?: BaseAgent;
  readonly plugins?: readonly BasePlugin[];
  readonly sessionService: SessionService;
  readonly artifactService?: ArtifactService;
  readonly memoryService?: MemoryService;
  /** Runs tools in this process when absent. */
  readonly toolExecutor?: ToolExecutor;
  /** Makes a session that is missing, instead of refusing. */
  readonly autoCreateSession?: boolean;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

export interface RunParams {
  readonly userId: string;
  readonly sessionId: string;
  /** May be absent when `invocationId` names a run of a resumable app that is to go on (B54). */
  readonly newMessage?: Content;
  readonly invocationId?: string;
  readonly stateDelta?: StateRecord;
  readonly runConfig?: Partial<RunConfig>;
  readonly customMetadata?: Record<string, unknown>;
  readonly abortSignal?: AbortSignal;
}

/** Runs an agent over sessions: the same engine in a unit test, on in-memory ports, and in the cluster. */
export class Runner {
  readonly appName: string;
  readonly app: RunnableApp;
  readonly sessionService: SessionService;
  readonly artifactService: ArtifactService | undefined;
  readonly memoryService: MemoryService | undefined;
  readonly #config: RunnerConfig;
  readonly #toolExecutor: ToolExecutor;

  constructor(config: RunnerConfig) {
    this.#config = config;
    this.app = config.app ?? appOf(config);
    this.appName = config.appName ?? config.app?.name ?? 'app';
    this.sessionService = config.sessionService;
    this.artifactService = config.artifactService;
    this.memoryService = config.memoryService;
    this.#toolExecutor = config.toolExecutor ?? new InProcessToolExecutor();
  }

  get agent(): BaseAgent {
    return this.app.rootAgent;
  }

  /**
   * The events of one message's run, each yielded once it is stored; partial ones as they come. A message that answers
   * calls goes on with the invocation that made them (B47).
   */
  async *runAsync(params: RunParams): AsyncGenerator<Event, void> {
    const newMessage = params.newMessage && checkMessage(params.newMessage);
    const session = await this.#openSession(params);
    const journal = new SessionServiceJournal(this.sessionService, session);
    const invocationId = this.#invocationIdOf(session, params);
    const { customMetadata } = params;
    const invocation: Invocation = {
      invocationId,
      app: this.app,
      session,
      userContent: newMessage,
      runConfig: runConfigSchema.parse({
        ...(customMetadata ? { customMetadata } : {}),
        ...params.runConfig,
      }),
      journal,
      toolExecutor: this.#toolExecutor,
      artifactService: this.artifactService,
      memoryService: this.memoryService,
      signal: params.abortSignal ?? new AbortController().signal,
      now: this.#config.now ?? systemClock,
    };
    // Grows with each segment that stored anything, so no two have the same step keys.
    const segment = session.events.filter((event) => event.invocationId === invocationId).length;
    const events = traceGenerator('invocation', {}, () =>
      runInvocation(invocation, { segment, newMessage, stateDelta: params.stateDelta }),
    );
    for await (const event of events) {
      await journal.stored();
      yield event;
    }
    await journal.stored();
  }

  /** The events of one message's run in a session of its own, of which nothing is left. */
  async *runEphemeral(params: Omit<RunParams, 'sessionId' | 'invocationId'>): AsyncGenerator<Event, void> {
    const { appName } = this;
    const { userId } = params;
    const { id: sessionId } = await this.sessionService.createSession({ appName, userId });
    try {
      yield* this.runAsync({ ...params, sessionId });
    } finally {
      await this.sessionService.deleteSession({ appName, userId, sessionId });
    }
  }

  /** Takes back the named invocation and everything after it: state and artifacts are as before (B55). */
  async rewindAsync(params: {
    readonly userId: string;
    readonly sessionId: string;
    readonly rewindBeforeInvocationId: string;
  }): Promise<Session> {
    const key = { appName: this.appName, userId: params.userId, sessionId: params.sessionId };
    return rewindSession(
      { sessionService: this.sessionService, artifactService: this.artifactService },
      {
        ...key,
        rewindBeforeInvocationId: params.rewindBeforeInvocationId,
        now: this.#config.now ?? systemClock,
      },
    );
  }

  /** Closes the plugins and toolsets of the app; what fails or hangs keeps nothing else open. */
  async close(): Promise<void> {
    await closeRunner(this.app);
  }

  #invocationIdOf(session: Session, { newMessage, invocationId }: RunParams): string {
    const answered = answeredCallEvent(newMessage, session.events);
    if (answered) return answered.invocationId;
    if (newMessage) return invocationId ?? `e-${randomUUID()}`;
    if (invocationId === undefined) {
      throw new AdkError(
        'invalid',
        'run.nothing-to-do',
        'A run needs a new message, or the id of an invocation.',
      );
    }
    if (!applyRewinds(session.events).some((event) => event.invocationId === invocationId)) {
      throw new AdkError('not_found', 'invocation.not-found', `Invocation not found: ${invocationId}`);
    }
    return invocationId;
  }

  async #openSession({ userId, sessionId }: RunParams): Promise<Session> {
    const key = { appName: this.appName, userId, sessionId };
    const session = await this.sessionService.getSession(key);
    if (session) return session;
    if (this.#config.autoCreateSession) return this.sessionService.createSession(key);
    throw new AdkError('not_found', 'session.not-found', `Session not found: ${sessionId}`);
  }
}

function appOf({ appName = 'app', agent, plugins = [] }: RunnerConfig): App {
  if (!agent) throw new AdkError('invalid', 'runner.no-agent', 'A Runner needs an app or an agent.');
  return new App({ name: appName, rootAgent: agent, plugins });
}
