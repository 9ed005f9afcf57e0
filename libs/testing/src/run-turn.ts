import { type Content, type Event, type RunConfig, runConfigSchema, type Session } from '@skein/contracts';
import {
  type BaseAgent,
  InMemoryArtifactService,
  InProcessToolExecutor,
  runInvocation,
  type StateRecord,
  type ToolExecutor,
} from '@skein/engine';
import { RecordingJournal } from './recording-journal';

export interface TurnOptions {
  readonly said?: string | Content;
  readonly stateDelta?: StateRecord;
  readonly runConfig?: Partial<RunConfig>;
  readonly session?: Session;
  /** What an earlier owner of this run stored. */
  readonly journal?: RecordingJournal;
  readonly toolExecutor?: ToolExecutor;
  readonly signal?: AbortSignal;
  readonly now?: () => number;
}

export interface Turn {
  /** As they were shown, partial ones too; the user's own is not shown. */
  readonly events: readonly Event[];
  readonly session: Session;
  readonly journal: RecordingJournal;
  /** What the run threw. */
  readonly error?: unknown;
}

export const INVOCATION_ID = 'e-0198c0de-0000-7000-8000-000000000001';

export function aSession(params: Partial<Session> = {}): Session {
  return { id: 's', appName: 'app', userId: 'u', state: {}, events: [], lastUpdateTime: 0, ...params };
}

/** Runs one turn of an agent on ports in memory. */
export async function runTurn(agent: BaseAgent, options: TurnOptions = {}): Promise<Turn> {
  const { said = 'hi', session = aSession(), journal = new RecordingJournal() } = options;
  const newMessage = typeof said === 'string' ? { role: 'user', parts: [{ text: said }] } : said;
  const events: Event[] = [];
  const invocation = {
    invocationId: INVOCATION_ID,
    session,
    userContent: newMessage,
    runConfig: runConfigSchema.parse(options.runConfig ?? {}),
    journal,
    toolExecutor: options.toolExecutor ?? new InProcessToolExecutor(),
    artifactService: new InMemoryArtifactService(),
    signal: options.signal ?? new AbortController().signal,
    now: options.now ?? (() => 1000),
  };
  try {
    const input = { segment: 0, newMessage, stateDelta: options.stateDelta };
    for await (const event of runInvocation(agent, invocation, input)) events.push(event);
    return { events, session, journal };
  } catch (error) {
    return { events, session, journal, error };
  }
}
