import { randomUUID } from 'node:crypto';
import { AdkError, type Event, type Session } from '@skein/contracts';
import {
  type App,
  asError,
  createEvent,
  InMemoryArtifactService,
  InMemoryMemoryService,
  InMemorySessionService,
  Runner,
} from '@skein/engine';
import { type Asked, readAsked } from './played';
import { type RunInput, type ShownRun, type Stage } from './stage';

const USER = 'ada';

/** An app in this process: one Runner over in-memory services. */
export class InProcessStage implements Stage {
  readonly #sessions = new InMemorySessionService();
  readonly #memory = new InMemoryMemoryService();
  readonly #runner: Runner;
  /** Runs ahead, so that no two events have one time, as those of real models never have. */
  #nowMs = Date.now();

  constructor(
    app: App,
    private readonly appName: string,
    private readonly logFile: string,
  ) {
    this.#runner = new Runner({
      appName,
      app,
      sessionService: this.#sessions,
      artifactService: new InMemoryArtifactService(),
      memoryService: this.#memory,
      now: () => (this.#nowMs += 1),
    });
  }

  async createSession(sessionId: string, state: Record<string, unknown>): Promise<void> {
    await this.#sessions.createSession({ ...this.#key(sessionId), state });
  }

  async getSession(sessionId: string): Promise<Session> {
    const session = await this.#sessions.getSession(this.#key(sessionId));
    if (!session) throw new Error(`no session ${sessionId} of ${this.appName}`);
    return session;
  }

  async run(sessionId: string, { streaming = false, ...input }: RunInput): Promise<ShownRun> {
    const events: Event[] = [];
    const chunks: Event[] = [];
    try {
      const run = this.#runner.runAsync({
        ...input,
        userId: USER,
        sessionId,
        runConfig: { streamingMode: streaming ? 'sse' : 'none' },
      });
      for await (const event of run) {
        // As the gateway answers a run: with what the agents said.
        if (event.author !== 'user') (event.partial ? chunks : events).push(structuredClone(event));
      }
      return { events, chunks };
    } catch (error) {
      // A failed `/run` answers its failure alone, a stream what came before it too.
      const failed = reasonOf(asError(error));
      return streaming ? { events, chunks, failed } : { events: [], chunks: [], failed };
    }
  }

  async rewind(sessionId: string, rewindBeforeInvocationId: string): Promise<void> {
    await this.#runner.rewindAsync({ userId: USER, sessionId, rewindBeforeInvocationId });
  }

  async patch(sessionId: string, stateDelta: Record<string, unknown>): Promise<void> {
    const event = createEvent({
      id: randomUUID(),
      invocationId: `p-${randomUUID()}`,
      author: 'user',
      timestamp: (this.#nowMs += 1) / 1000,
      actions: { stateDelta },
    });
    await this.#sessions.appendEvent({ session: await this.getSession(sessionId), event });
  }

  async addToMemory(sessionId: string): Promise<void> {
    await this.#memory.addSessionToMemory(await this.getSession(sessionId));
  }

  asked(): Asked[] {
    return readAsked(this.logFile, this.appName);
  }

  #key(sessionId: string): { appName: string; userId: string; sessionId: string } {
    return { appName: this.appName, userId: USER, sessionId };
  }
}

function reasonOf(error: Error): string {
  return `${AdkError.isInstance(error) ? error.code : error.name}: ${error.message}`;
}
