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
import { type ArtifactService } from '../artifact/artifact-service';
import { SessionServiceJournal } from '../journal/session-service-journal';
import { type SessionService } from '../session/session-service';
import { type StateRecord } from '../state/state-scope';
import { traceGenerator } from '../telemetry/trace';
import { InProcessToolExecutor } from '../tool/in-process-tool-executor';
import { type ToolExecutor } from '../tool/tool-executor';
import { runInvocation } from './run-invocation';

export interface RunnerConfig {
  readonly appName: string;
  readonly agent: BaseAgent;
  readonly sessionService: SessionService;
  readonly artifactService?: ArtifactService;
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
  readonly newMessage: Content;
  readonly stateDelta?: StateRecord;
  readonly runConfig?: Partial<RunConfig>;
  readonly abortSignal?: AbortSignal;
}

/** Runs an agent over sessions: the same engine in a unit test, on in-memory ports, and in the cluster. */
export class Runner {
  readonly appName: string;
  readonly agent: BaseAgent;
  readonly sessionService: SessionService;
  readonly artifactService: ArtifactService | undefined;
  readonly #config: RunnerConfig;
  readonly #toolExecutor: ToolExecutor;

  constructor(config: RunnerConfig) {
    this.#config = config;
    this.appName = config.appName;
    this.agent = config.agent;
    this.sessionService = config.sessionService;
    this.artifactService = config.artifactService;
    this.#toolExecutor = config.toolExecutor ?? new InProcessToolExecutor();
  }

  /** The events of one message's run, each yielded once it is stored; partial ones as they come. */
  async *runAsync(params: RunParams): AsyncGenerator<Event, void> {
    const session = await this.#openSession(params);
    const journal = new SessionServiceJournal(this.sessionService, session);
    const invocation = {
      invocationId: `e-${randomUUID()}`,
      session,
      userContent: params.newMessage,
      runConfig: runConfigSchema.parse(params.runConfig ?? {}),
      journal,
      toolExecutor: this.#toolExecutor,
      artifactService: this.artifactService,
      signal: params.abortSignal ?? new AbortController().signal,
      now: this.#config.now ?? Date.now,
    };
    const events = traceGenerator('invocation', {}, () =>
      runInvocation(this.agent, invocation, { segment: 0, ...params }),
    );
    for await (const event of events) {
      await journal.stored();
      yield event;
    }
    await journal.stored();
  }

  async #openSession({ userId, sessionId }: RunParams): Promise<Session> {
    const key = { appName: this.appName, userId, sessionId };
    const session = await this.sessionService.getSession(key);
    if (session) return session;
    if (this.#config.autoCreateSession) return this.sessionService.createSession(key);
    throw new AdkError('not_found', 'session.not-found', `Session not found: ${sessionId}`);
  }
}
