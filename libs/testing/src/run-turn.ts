import { type Content, type Event, type RunConfig, runConfigSchema, type Session } from '@skein/contracts';
import {
  type ArtifactService,
  BaseAgent,
  InMemoryArtifactService,
  InProcessToolExecutor,
  type Invocation,
  type MemoryService,
  type RunnableApp,
  runInvocation,
  type StateRecord,
  type ToolExecutor,
} from '@skein/engine';
import { RecordingJournal } from './recording-journal';

export interface TurnOptions {
  /** Nothing said: the invocation is only to go on. */
  readonly said?: string | Content | null;
  /** Counts the inputs of the invocation. */
  readonly segment?: number;
  readonly invocationId?: string;
  readonly stateDelta?: StateRecord;
  readonly runConfig?: Partial<RunConfig>;
  readonly session?: Session;
  /** What an earlier owner of this run stored. */
  readonly journal?: RecordingJournal;
  readonly toolExecutor?: ToolExecutor;
  readonly artifactService?: ArtifactService;
  readonly memoryService?: MemoryService;
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

/** Runs one turn of an agent, or of an app, on ports in memory. */
export async function runTurn(target: BaseAgent | RunnableApp, options: TurnOptions = {}): Promise<Turn> {
  const { said = 'hi', session = aSession(), journal = new RecordingJournal(), segment = 0 } = options;
  const newMessage =
    typeof said === 'string' ? { role: 'user', parts: [{ text: said }] } : (said ?? undefined);
  const events: Event[] = [];
  const invocation: Invocation = {
    invocationId: options.invocationId ?? INVOCATION_ID,
    app: target instanceof BaseAgent ? { rootAgent: target } : target,
    session,
    userContent: newMessage,
    runConfig: runConfigSchema.parse(options.runConfig ?? {}),
    journal,
    toolExecutor: options.toolExecutor ?? new InProcessToolExecutor(),
    artifactService: options.artifactService ?? new InMemoryArtifactService(),
    memoryService: options.memoryService,
    signal: options.signal ?? new AbortController().signal,
    now: options.now ?? (() => 1000),
  };
  try {
    const input = { segment, newMessage, stateDelta: options.stateDelta };
    for await (const event of runInvocation(invocation, input)) events.push(event);
    return { events, session, journal };
  } catch (error) {
    return { events, session, journal, error };
  }
}
