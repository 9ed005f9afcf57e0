import { randomUUID } from 'node:crypto';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { AdkError, type Content, type Event, runConfigSchema, type Session } from '@skein/contracts';
import {
  asError,
  checkMessage,
  type Context,
  createEvent,
  type ExecutedCall,
  getFunctionCalls,
  getFunctionResponses,
  InMemoryMemoryService,
  InMemorySessionService,
  InProcessToolExecutor,
  type Invocation,
  rewindSession,
  runInvocation,
  type ToolCall,
} from '@skein/engine';
import { type RecordingJournal } from '@skein/testing';
import { type Asked } from '../played';
import { type RunInput, type ShownRun, type Stage } from '../stage';
import { DyingJournal } from './dying-journal';
import { RevertibleArtifactService } from './revertible-artifact-service';
import { type FreshApp } from './fresh-app';

const USER = 'ada';

/** Where the process that runs a case is killed: in this turn, after it has stored so many units. */
export interface Kill {
  readonly turn: number;
  readonly units: number;
}

/** One turn as it was run, in one process or in two. */
export interface RunTurn {
  /** As it stood when the turn ended. */
  readonly journal: RecordingJournal;
  /** What the first process stored; all of it when nobody was killed. */
  readonly survived: RecordingJournal;
  /** What models were asked, and calls were run, before the kill and after it. */
  readonly before: Work;
  readonly after: Work;
  /** Ids of the turn's events as the last process had them in its session. */
  readonly logged: readonly string[];
}

export interface Work {
  readonly asked: readonly Asked[];
  readonly ran: readonly string[];
}

/** An app over services in memory that outlive its process, which may be killed once. */
export class KillableStage implements Stage {
  readonly turns: RunTurn[] = [];
  readonly #sessions = new InMemorySessionService();
  readonly #memory = new InMemoryMemoryService();
  #artifacts = new RevertibleArtifactService();
  #process: FreshApp;
  #nowMs = 1_000_000;

  constructor(
    private readonly start: () => FreshApp,
    private readonly appName: string,
    private readonly kill?: Kill,
  ) {
    this.#process = start();
  }

  async createSession(sessionId: string, state: Record<string, unknown>): Promise<void> {
    await this.#sessions.createSession({ ...this.#key(sessionId), state });
  }

  async getSession(sessionId: string): Promise<Session> {
    const session = await this.#sessions.getSession(this.#key(sessionId));
    if (!session) throw new Error(`no session ${sessionId} of ${this.appName}`);
    return session;
  }

  async run(sessionId: string, input: RunInput): Promise<ShownRun> {
    const turn = this.turns.length;
    const base = await this.getSession(sessionId);
    const isKilled = this.kill?.turn === turn;
    const artifacts = this.#artifacts;
    const savesBefore = artifacts.saves;
    const journal = new DyingJournal(isKilled ? this.kill.units : Infinity, () => artifacts.saves);
    const first = await this.#runProcess(base, input, journal);
    if (first.shown && !isKilled) {
      this.turns.push({
        journal,
        survived: journal,
        before: first,
        after: { asked: [], ran: [] },
        logged: first.logged,
      });
      await this.#store(sessionId, journal);
      return first.shown;
    }
    this.#process = this.start();
    this.#artifacts = await artifacts.revertedTo(journal.savesAtDeath ?? savesBefore);
    const survived = journal.cutAfterUnits(this.kill?.units ?? 0);
    const resumedJournal = journal.cutAfterUnits(this.kill?.units ?? 0);
    const second = await this.#runProcess(await this.getSession(sessionId), input, resumedJournal);
    this.turns.push({
      journal: resumedJournal,
      survived,
      before: first,
      after: second,
      logged: second.logged,
    });
    await this.#store(sessionId, resumedJournal);
    if (!second.shown) throw new Error('the second process died too');
    return second.shown;
  }

  async rewind(sessionId: string, rewindBeforeInvocationId: string): Promise<void> {
    const services = { sessionService: this.#sessions, artifactService: this.#artifacts };
    const now = (): number => this.#now();
    await rewindSession(services, { ...this.#key(sessionId), rewindBeforeInvocationId, now });
  }

  async patch(sessionId: string, stateDelta: Record<string, unknown>): Promise<void> {
    const event = createEvent({
      id: randomUUID(),
      invocationId: `p-${randomUUID()}`,
      author: 'user',
      timestamp: this.#now() / 1000,
      actions: { stateDelta },
    });
    await this.#sessions.appendEvent({ session: await this.getSession(sessionId), event });
  }

  async addToMemory(sessionId: string): Promise<void> {
    await this.#memory.addSessionToMemory(await this.getSession(sessionId));
  }

  /** Compared turn by turn: a killed process may have asked what the next one asks again. */
  asked(): Asked[] {
    return [];
  }

  async #runProcess(
    session: Session,
    input: RunInput,
    journal: RecordingJournal,
  ): Promise<Work & { readonly shown: ShownRun | undefined; readonly logged: string[] }> {
    // Of many runs side by side, those that never wait would let no timer of the others come.
    await turnOfTheLoop();
    const { app, asked } = this.#process;
    const asksBefore = asked.length;
    const eventsBefore = session.events.length;
    const executor = new CountingToolExecutor();
    const controller = new AbortController();
    const events: Event[] = [];
    const chunks: Event[] = [];
    const work = (): Work => ({ asked: asked.slice(asksBefore), ran: [...executor.ran] });
    const died = journal instanceof DyingJournal ? journal.died : new Promise<never>(() => undefined);
    const run = async (): Promise<ShownRun> => {
      try {
        const newMessage = input.newMessage && checkMessage(input.newMessage);
        const invocationId = this.#invocationIdOf(session, input);
        const invocation: Invocation = {
          invocationId,
          app,
          session,
          userContent: newMessage,
          runConfig: runConfigSchema.parse({
            ...(input.customMetadata ? { customMetadata: input.customMetadata } : {}),
            streamingMode: input.streaming ? 'sse' : 'none',
          }),
          journal,
          toolExecutor: executor,
          artifactService: this.#artifacts,
          memoryService: this.#memory,
          signal: controller.signal,
          now: () => this.#now(),
        };
        const segment = session.events.filter((event) => event.invocationId === invocationId).length;
        for await (const event of runInvocation(invocation, {
          segment,
          newMessage,
          stateDelta: input.stateDelta,
        })) {
          if (event.author !== 'user') (event.partial ? chunks : events).push(structuredClone(event));
          await journal.stored();
        }
        return { events, chunks: [] };
      } catch (error) {
        return { events: [], chunks: [], failed: reasonOf(asError(error)) };
      }
    };
    const shown = await Promise.race([run(), died.then(() => undefined)]);
    const done = work();
    if (!shown) controller.abort(new Error('The process was killed.'));
    return { ...done, shown, logged: session.events.slice(eventsBefore).map(({ id }) => id) };
  }

  /** The same for every run of a case, so that ids derived from it are too. */
  #invocationIdOf({ events }: Session, { newMessage, invocationId }: RunInput): string {
    const answered = answeredInvocation(newMessage, events);
    if (answered !== undefined) return answered;
    if (newMessage)
      return invocationId ?? `e-00000000-0000-4000-8000-${String(this.turns.length).padStart(12, '0')}`;
    if (!events.some((event) => event.invocationId === invocationId)) throw new Error('no such invocation');
    return invocationId ?? '';
  }

  /** What a run has stored is there for whoever looks at the session, once the turn is over. */
  async #store(sessionId: string, journal: RecordingJournal): Promise<void> {
    for (const { event } of journal.staged) {
      await this.#sessions.appendEvent({ session: await this.getSession(sessionId), event });
    }
  }

  /** Runs ahead, so that no two events have one time. */
  #now(): number {
    return (this.#nowMs += 1);
  }

  #key(sessionId: string): { appName: string; userId: string; sessionId: string } {
    return { appName: this.appName, userId: USER, sessionId };
  }
}

class CountingToolExecutor extends InProcessToolExecutor {
  readonly ran: string[] = [];

  override execute(call: ToolCall, toolContext: Context): Promise<ExecutedCall> {
    this.ran.push(call.dispatchId);
    return super.execute(call, toolContext);
  }
}

function answeredInvocation(message: Content | undefined, events: readonly Event[]): string | undefined {
  const [id] = getFunctionResponses({ content: message }).map((response) => response.id);
  if (id === undefined) return undefined;
  return events.findLast((event) => getFunctionCalls(event).some((call) => call.id === id))?.invocationId;
}

function reasonOf(error: Error): string {
  return `${AdkError.isInstance(error) ? error.code : error.name}: ${error.message}`;
}
