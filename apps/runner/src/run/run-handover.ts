import {
  AdkError,
  CANCELLED,
  type Event,
  type Finish,
  type Handover,
  isTransient,
  type Session,
  subjects,
} from '@skein/contracts';
import {
  App,
  type ArtifactService,
  asError,
  cleanJson,
  describeError,
  isWaiting,
  type MemoryService,
  runInvocation,
} from '@skein/engine';
import { type AgentLoader } from '@skein/agent-loader';
import { type MessagingConnection, publishCore } from '@skein/messaging';
import { type Logger, withWorkIds, workIdsOf } from '@skein/platform';
import {
  AppendPipeline,
  isCancelRequested,
  isFenced,
  RemoteJournal,
  type SessionRpc,
} from '@skein/session-client';
import { type ActiveRun, RunStopped } from './active-run';
import { BrokenAgent } from './broken-agent';
import { DispatchingToolExecutor } from './dispatching-tool-executor';
import { type CancelledRun, finishCancelled } from './finish-cancelled';
import { finishRefused } from './finish-refused';
import { ForeignEvents } from './foreign-events';
import { writesOf } from './guessed-writes';
import { openSession } from './open-session';
import { publishChunks } from './publish-chunks';
import { type SessionCache } from './session-cache';
import { traceRun } from './trace-run';

export interface RunnerPorts {
  readonly runnerId: string;
  readonly rpc: SessionRpc;
  readonly connection: MessagingConnection;
  readonly agents: AgentLoader;
  readonly artifacts: ArtifactService;
  readonly memory: MemoryService;
  readonly cache: SessionCache;
  readonly logger: Logger;
  /** Counts the results with something that their tool had not declared. */
  readonly onUndeclared?: (tool: string) => void;
}

/** Runs a claimed invocation from its handover to its stored end; a run that was stopped leaves without one. */
export async function runHandover(run: ActiveRun, ports: RunnerPorts): Promise<void> {
  await withWorkIds(workIdsOf(run), () => runLogged(run, ports));
}

async function runLogged(run: ActiveRun, ports: RunnerPorts): Promise<void> {
  const log = ports.logger;
  const ids = workIdsOf(run);
  try {
    await runToEnd(run, ports);
    log.info({ attempt: run.handover.attempt, ...ids }, 'invocation finished');
  } catch (error) {
    if (error instanceof RunStopped || isFenced(error)) {
      log.info({ ...ids, reason: describeError(error) }, 'invocation left to another runner');
    } else {
      log.error({ ...ids, err: error }, 'invocation could not be run to its end');
      // Anything else would fail as fast in the next runner, and for ever: a lapsed lease is slow, and is counted.
      if (isTransient(error)) await giveBackOne(run, ports);
    }
  }
}

/** What this runner did not reach another may; a lease that has to lapse first would cost its time, and an attempt. */
async function giveBackOne(run: ActiveRun, { rpc, runnerId, logger }: RunnerPorts): Promise<void> {
  try {
    await rpc.release({ runnerId, invocationId: run.invocationId, epoch: run.handover.epoch });
  } catch (error) {
    logger.warn(
      { ...workIdsOf(run), err: error },
      'invocation could not be given back: its lease will lapse',
    );
  }
}

async function runToEnd(run: ActiveRun, ports: RunnerPorts): Promise<void> {
  const { handover } = run;
  const { session, stored } = await openSession(handover, ports.cache, ports.rpc);
  const foreignEvents = new ForeignEvents({ handover, session, stored, rpc: ports.rpc });
  foreignEvents.settle();
  run.foreignEvents = foreignEvents;
  const pipeline = openPipeline(run, ports);
  run.pipeline = pipeline;
  const own = stored.filter(({ event }) => event.invocationId === handover.invocationId);
  const journal = new RemoteJournal(pipeline, own, handover.records, () => foreignEvents.settle());
  const toolExecutor = new DispatchingToolExecutor({
    handover,
    pipeline,
    journal,
    pendingCalls: run.pendingCalls,
    steps: run.steps,
    onUndeclared: ports.onUndeclared,
  });
  const { artifacts, memory } = writesOf(run, ports);
  const invocation = {
    invocationId: handover.invocationId,
    app: await loadApp(ports.agents, handover.appName),
    session,
    userContent: handover.input.newMessage,
    runConfig: handover.input.runConfig,
    journal,
    toolExecutor,
    artifactService: artifacts,
    memoryService: memory,
    signal: run.signal,
    now: Date.now,
  };
  const input = { segment: handover.segment, ...handover.input };
  const events = traceRun(run, own, () => runInvocation(invocation, input));

  const cancelled = { invocation, input, stored: own, pipeline };
  const chunks = publishChunks(handover, pipeline, ports);
  const drained = await drain(events, (event) => chunks.publish(event)).finally(() => chunks.close());
  if (drained.status === 'cancelled') return endOfCancelled({ ...cancelled, wasFinished: false }, ports);
  const ended = isRefusal(drained, handover) ? { ...drained, isRefusal: true } : drained;
  const { isResumable = false } = invocation.app.resumabilityConfig ?? {};
  const waits =
    ended.status === 'completed' &&
    isWaiting(eventsSince(handover, session), handover.invocationId, isResumable);
  const finished = await finishWith(pipeline, run, waits ? { status: 'waiting' } : ended);
  if (finished === 'cancelled') return endOfCancelled({ ...cancelled, wasFinished: true }, ports);
  // Only a log that is complete from its first event may serve the next turn.
  if (finished === 'whole' && session.events.length === pipeline.lastSeq) {
    ports.cache.put(handover.sessionUid, session.events);
  }
}

/** Those that an invocation can be among: one in its first segment has none before it, however long the log is. */
function eventsSince({ segment, baseSeq }: Handover, { events }: Session): readonly Event[] {
  return segment === 0 ? events.slice(baseSeq) : events;
}

/** Workers are told too: what they run for it is not waited for any more. */
async function endOfCancelled(run: CancelledRun, { connection, logger }: RunnerPorts): Promise<void> {
  const { invocationId, session } = run.invocation;
  const ids = { appName: session.appName, sessionId: session.id, invocationId };
  publishCore(connection, subjects.cancelledCalls, { invocationId }).catch((error: unknown) =>
    logger.info({ ...ids, err: error }, 'workers were not told of a cancel'),
  );
  await finishCancelled(run);
}

function openPipeline(run: ActiveRun, ports: RunnerPorts): AppendPipeline {
  const { appName, userId, sessionId, invocationId, epoch, segment, lastSeq } = run.handover;
  return new AppendPipeline({
    owner: {
      ...{ appName, userId, sessionId, invocationId, epoch, segment, runnerId: ports.runnerId },
      ...(run.isGuessed && { isGuessed: true }),
    },
    client: ports.rpc,
    lastSeq,
    signal: run.stopSignal,
    onCancelRequested: () => run.cancel(),
    onForeignEvents: async (head) => run.foreignEvents?.load(head),
  });
}

/** Pulls the run to its end; events are stored by the journal, so only chunks are handed on from here. */
async function drain(
  events: AsyncGenerator<Event, void>,
  onChunk: (event: Event) => Promise<void> | undefined,
): Promise<Finish> {
  try {
    for await (const event of events) {
      const sent = event.partial ? onChunk(event) : undefined;
      if (sent) await sent;
    }
    return { status: 'completed' };
  } catch (thrown) {
    if (thrown instanceof RunStopped || isFenced(thrown)) throw thrown;
    const error = asError(thrown);
    if (AdkError.isInstance(error) && error.code === CANCELLED) return { status: 'cancelled' };
    return { status: 'failed', error: storable(error) };
  }
}

/** What was thrown may say anything; what cannot be stored would be refused, and hide what the run failed of. */
function storable(error: Error): NonNullable<Finish['error']> {
  const code = AdkError.isInstance(error) ? error.code : error.name;
  // cleanJson keeps the shape of what it is given.
  return cleanJson({ code, message: error.message }) as NonNullable<Finish['error']>;
}

/** The engine refused to go on before it stored anything: what waited in the invocation goes on waiting (B54). */
function isRefusal({ error }: Finish, { input }: Handover): boolean {
  return error?.code === 'run.not-resumable' && input.newMessage === undefined;
}

/** Whether all that the run said is stored, or something else of one that was refused, or the end is not to hold. */
async function finishWith(
  pipeline: AppendPipeline,
  run: ActiveRun,
  finish: Finish,
): Promise<'whole' | 'refused' | 'cancelled'> {
  try {
    await pipeline.finish(finish);
    return 'whole';
  } catch (error) {
    if (isCancelRequested(error)) return 'cancelled';
    if (error instanceof RunStopped || isFenced(error) || run.stopSignal.aborted) throw error;
    await finishRefused(pipeline, run.handover, error);
    return 'refused';
  }
}

async function loadApp(agents: AgentLoader, appName: string): Promise<App> {
  try {
    return (await agents.load(appName)).app;
  } catch (reason) {
    return new App({ name: appName, rootAgent: new BrokenAgent(appName, reason) });
  }
}
