import { randomUUID } from 'node:crypto';
import {
  AdkError,
  CANCELLED,
  type Content,
  type ContentLike,
  contentSchema,
  type Event,
  runConfigSchema,
  type RunConfig,
  type Session,
} from '@skein/contracts';
import { type BaseAgent } from '../agent/base-agent';
import { type Invocation } from '../agent/invocation';
import { App, type RunnableApp } from '../app/app';
import { type ArtifactService } from '../artifact/artifact-service';
import { systemClock } from '../clock/system-clock';
import { applyRewinds } from '../flow/contents/apply-rewinds';
import { readAs } from '../json/read-as';
import { SessionServiceJournal } from '../journal/session-service-journal';
import { type MemoryService } from '../memory/memory-service';
import { type BasePlugin } from '../plugin/base-plugin';
import { type SessionService } from '../session/session-service';
import { type StateRecord } from '../state/state-scope';
import { traceGenerator } from '../telemetry/trace';
import { InProcessToolExecutor } from '../tool/in-process-tool-executor';
import { type ToolExecutor } from '../tool/tool-executor';
import { answeredCallEvent, assertUndecided } from './answered-call';
import { checkMessage } from './check-message';
import { closeRunner } from './close-runner';
import { cancelledError, endCancelled } from './end-cancelled';
import { isWaiting } from './is-waiting';
import { rewindSession } from './rewind-session';
import { runInvocation } from './run-invocation';
import { type SegmentInput } from './segment-input';

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
  readonly newMessage?: Content | ContentLike;
  readonly invocationId?: string;
  readonly stateDelta?: StateRecord;
  readonly runConfig?: Partial<RunConfig>;
  readonly customMetadata?: Record<string, unknown>;
  /** Cancels the run, as `Runner.cancel` does. */
  readonly abortSignal?: AbortSignal;
}

/** Its message read. */
type ReadParams = Omit<RunParams, 'newMessage'> & { readonly newMessage?: Content };

export type CancelParams = Pick<RunParams, 'userId' | 'sessionId'> & { readonly invocationId: string };

/** Runs an agent over sessions: the same engine in a unit test, on in-memory ports, and in the cluster. */
export class Runner {
  readonly appName: string;
  readonly app: RunnableApp;
  readonly sessionService: SessionService;
  readonly artifactService: ArtifactService | undefined;
  readonly memoryService: MemoryService | undefined;
  readonly #config: RunnerConfig;
  readonly #toolExecutor: ToolExecutor;
  /** By invocation. */
  readonly #running = new Map<string, AbortController>();

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
   * calls goes on with the invocation that made them (B47). A cancelled run ends with the events that tell of it.
   */
  async *runAsync(params: RunParams): AsyncGenerator<Event, void> {
    const newMessage = params.newMessage && checkMessage(readMessage(params.newMessage));
    const session = await this.#openSession(params);
    const cancelling = new AbortController();
    const signals = [cancelling.signal, ...(params.abortSignal ? [params.abortSignal] : [])];
    const invocation = this.#invocationOf(session, { ...params, newMessage }, AbortSignal.any(signals));
    const { invocationId, journal } = invocation;
    const input = { segment: segmentOf(session, invocationId), newMessage, stateDelta: params.stateDelta };
    this.#running.set(invocationId, cancelling);
    try {
      const events = traceGenerator('invocation', {}, () => runInvocation(invocation, input), {
        signal: invocation.signal,
      });
      for await (const event of orEnd(events, invocation, input)) {
        await journal.stored();
        yield event;
      }
      await journal.stored();
    } finally {
      if (this.#running.get(invocationId) === cancelling) this.#running.delete(invocationId);
    }
  }

  /**
   * Ends an invocation that runs here, or waits for an answer in its session: error responses for its open calls, an
   * event that says so. Whether there was anything to end.
   */
  async cancel({ userId, sessionId, invocationId }: CancelParams): Promise<boolean> {
    const running = this.#running.get(invocationId);
    running?.abort(cancelledError());
    if (running) return true;
    const session = await this.#openSession({ userId, sessionId });
    const { isResumable } = this.app.resumabilityConfig ?? {};
    if (wasCancelled(session, invocationId) || !isWaiting(session.events, invocationId, isResumable))
      return false;
    const params = { userId, sessionId, invocationId };
    const invocation = this.#invocationOf(session, params, new AbortController().signal);
    const segment = segmentOf(session, invocationId);
    for await (const _event of endCancelled(invocation, { segment })) continue;
    await invocation.journal.stored();
    return true;
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

  #invocationOf(session: Session, params: ReadParams, signal: AbortSignal): Invocation {
    const { newMessage, customMetadata } = params;
    return {
      invocationId: this.#invocationIdOf(session, params),
      app: this.app,
      session,
      userContent: newMessage,
      runConfig: runConfigSchema.parse({
        ...(customMetadata ? { customMetadata } : {}),
        ...params.runConfig,
      }),
      journal: new SessionServiceJournal(this.sessionService, session),
      toolExecutor: this.#toolExecutor,
      artifactService: this.artifactService,
      memoryService: this.memoryService,
      signal,
      now: this.#config.now ?? systemClock,
    };
  }

  #invocationIdOf(session: Session, { newMessage, invocationId }: ReadParams): string {
    const answered = answeredCallEvent(newMessage, session.events);
    const wanted = answered?.invocationId ?? invocationId;
    if (wanted !== undefined && wasCancelled(session, wanted)) {
      throw new AdkError('conflict', CANCELLED, `Invocation was cancelled: ${wanted}`);
    }
    assertUndecided(newMessage, session.events);
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

  async #openSession({ userId, sessionId }: Pick<RunParams, 'userId' | 'sessionId'>): Promise<Session> {
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

function readMessage(message: Content | ContentLike): Content {
  return readAs(contentSchema, message, { code: 'message.malformed', what: 'The message' });
}

/** Grows with each segment that stored anything, so no two have the same step keys. */
function segmentOf({ events }: Session, invocationId: string): number {
  return events.filter((event) => event.invocationId === invocationId).length;
}

function wasCancelled({ events }: Session, invocationId: string): boolean {
  return events.some((event) => event.invocationId === invocationId && event.errorCode === CANCELLED);
}

/** The events of a run, and when it is cancelled those that tell of it. */
async function* orEnd(
  events: AsyncGenerator<Event, void>,
  invocation: Invocation,
  input: SegmentInput,
): AsyncGenerator<Event, void> {
  try {
    yield* events;
  } catch (thrown) {
    if (!invocation.signal.aborted) throw thrown;
    yield* endCancelled(invocation, input);
  }
}
