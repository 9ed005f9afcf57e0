import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import {
  type AppendUnit,
  type Handover,
  subjects,
  type ToolCallMessage,
  toolCallMessageSchema,
  toolQueue,
  type ToolResultMessage,
  toolResultMessageSchema,
} from '@skein/contracts';
import {
  connectNats,
  consumeWork,
  LaneClient,
  LaneServer,
  LocalPayloadStore,
  type MessagingConnection,
  type RpcServer,
} from '@skein/messaging';
import { silentLogger } from '@skein/platform';
import { AppendPipeline, AppendUnitClient } from '@skein/session-client';
import { TakenResults } from '../../apps/runner/src/inbound/taken-results';
import { WorkConsumer } from '../../apps/runner/src/inbound/work.consumer';
import { ActiveRun } from '../../apps/runner/src/run/active-run';
import { ToolPublisher } from '../../apps/tool-worker/src/calls/tool-publisher';
import { sharedServices } from './session-services';
import { aCall, aKey, anEvent, eventually } from './session-store-harness';
import { appendTo, type FakeRunner, handoverOf, startFakeRunner, submitTo } from './session-svc-harness';

const { ground, atEnd, cleanup } = sharedServices();
const calls: ToolCallMessage[] = [];
/** All that came into RESULTS, by their calls. */
const queued: string[] = [];

beforeAll(async () => {
  const queue = { ...toolQueue('default'), ackWaitMs: 30_000, maxDeliver: 5, concurrency: 8 };
  const handler = async (call: ToolCallMessage): Promise<void> => void calls.push(call);
  const consumer = await consumeWork(ground.connection, { ...queue, schema: toolCallMessageSchema, handler });
  atEnd.add(() => consumer.stop(0));
  ground.connection.nats.subscribe('result.>', {
    callback: (_error, message) => {
      queued.push(message.json<ToolResultMessage>().ticket.dispatchId);
    },
  });
});

class Appends extends AppendUnitClient {
  override append(unit: AppendUnit): ReturnType<AppendUnitClient['append']> {
    return appendTo(ground, unit);
  }
}

interface RunnerWithCall {
  readonly runner: FakeRunner;
  readonly handover: Handover;
  readonly call: ToolCallMessage;
  readonly taken: TakenResults;
  /** Settles with the result, as the run has it. */
  readonly result: Promise<ToolResultMessage>;
  /** Stores the response event. */
  readonly apply: () => Promise<void>;
}

/** A runner's own parts, whose run waits for a call that session-svc has sent. */
async function aRunnerWithCall(): Promise<RunnerWithCall> {
  const made: { work?: WorkConsumer } = {};
  const runner = await startFakeRunner(ground, cleanup, `runner-${randomUUID()}`, async (message) => {
    if (message.kind !== 'result' || !made.work) return 'accepted';
    return (await made.work.handle(message)).disposition;
  });
  const handover = await handoverOf(runner, await submitTo(ground, aKey()));
  const run = new ActiveRun(handover);
  const { appName, userId, sessionId, invocationId, epoch, segment, lastSeq } = handover;
  const owner = { appName, userId, sessionId, invocationId, runnerId: runner.runnerId, epoch, segment };
  const lost = { signal: run.stopSignal, onCancelRequested: () => undefined };
  const pipeline = (run.pipeline = new AppendPipeline({ owner, client: new Appends(), lastSeq, ...lost }));
  const runs = { get: (id: string) => (id === invocationId ? run : undefined) };
  const leases = { enforce: () => undefined };
  const taken = new TakenResults(runs, leases);
  made.work = new WorkConsumer({ runs, leases, taken } as unknown as ConstructorParameters<
    typeof WorkConsumer
  >[0]); // What results need.
  const row = aCall();
  const result = run.pendingCalls.expect(row.dispatchId, row.stepKey);
  stage(pipeline, 'call');
  const ticket = await pipeline.stageCall(row, () => ({
    ...{ state: {}, stateDelta: {}, userContent: undefined },
  }));
  if (!ticket) throw new Error('the call got no ticket');
  run.pendingCalls.permit({ ticket, tool: row.tool });
  const sent = (): ToolCallMessage | undefined =>
    calls.find(({ call }) => call.dispatchId === row.dispatchId);
  const call = await eventually('the call', async () => sent());
  const apply = async (): Promise<void> => {
    stage(pipeline, 'response');
    pipeline.stageApplied([row.dispatchId]);
    await pipeline.stored();
  };
  return { runner, handover, call, taken, result, apply };
}

function stage(pipeline: AppendPipeline, name: string): void {
  pipeline.stageEvent({ stepKey: `0/root.0/${name}.0`, event: anEvent() });
}

/** It answers what it is asked, until the test ends. */
function serve({ runner, taken }: RunnerWithCall): RpcServer {
  const server = taken.serve(ground.connection, runner.runnerId);
  cleanup.add(() => server.close());
  return server;
}

/** As a worker does that has run the tool. */
function give(call: ToolCallMessage, connection: MessagingConnection = ground.connection): Promise<void> {
  const publisher = new ToolPublisher(connection, { remainingMs: () => 60_000 });
  const { actions } = anEvent();
  return publisher.publishResult(
    call,
    {
      ...{ outcome: { kind: 'result', value: 3 }, actions },
      execution: { worker: 'worker-1', pid: 1, attempt: 1, durationMs: 1 },
    },
    { signal: new AbortController().signal, aside: (wait) => wait() },
  );
}

/** A worker's own connection, which has a lane to the runner. */
async function aWorkerOnTheSameMachine({ call }: RunnerWithCall): Promise<MessagingConnection> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'skein-lanes-'));
  const payloads = new LocalPayloadStore(path.join(dataDir, 'payloads'));
  const settings = { name: 'worker', logger: silentLogger, payloads, payloadLimitBytes: 262_144 };
  const worker = await connectNats({ url: ground.natsUrl, ...settings });
  const server = new LaneServer(ground.connection.lanes, silentLogger, (leave) => void setTimeout(leave, 5));
  await server.listen(dataDir, ['tool-worker']);
  const client = new LaneClient(worker.lanes, dataDir, 'tool-worker');
  client.start();
  cleanup.add(async () => {
    client.close();
    await server.stopListening();
    server.close();
    await worker.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  await eventually('a lane', async () => worker.lanes.laneTo(call.answerTo ?? ''));
  return worker;
}

interface StoredCall {
  readonly status: string;
  readonly applied: boolean;
  readonly hasResult: boolean;
}

async function storedOf({ call }: RunnerWithCall): Promise<StoredCall | undefined> {
  const { rows } = await ground.database.pool.query<StoredCall>(
    `SELECT status, applied_seq IS NOT NULL AS applied, result IS NOT NULL AS "hasResult"
       FROM adk_tool_calls WHERE dispatch_id = $1`,
    [call.call.dispatchId],
  );
  return rows[0];
}

async function untilQueueIsEmpty(): Promise<void> {
  const { streams } = await jetstreamManager(ground.connection.nats);
  await eventually('every result to be acked', async () =>
    (await streams.info('RESULTS')).state.messages === 0 ? true : undefined,
  );
}

const APPLIED = { status: 'done', applied: true, hasResult: false };

describe('a result that its runner is asked to take', () => {
  it('goes nowhere else once the response event is stored', async () => {
    const run = await aRunnerWithCall();
    serve(run);
    let isGiven = false;

    const given = give(run.call).then(() => (isGiven = true));
    await run.result;
    expect(isGiven).toBe(false);
    await run.apply();
    await given;

    expect(run.call.answerTo).toBe(subjects.answer(run.runner.runnerId));
    await ground.connection.flush();
    expect(queued).not.toContain(run.call.call.dispatchId);
    expect(await storedOf(run)).toEqual(APPLIED);
  });

  it('goes by a lane where worker and runner share a machine, and NATS sees nothing of it', async () => {
    const run = await aRunnerWithCall();
    serve(run);
    const worker = await aWorkerOnTheSameMachine(run);
    const carried: string[] = [];
    const answers = ground.connection.nats.subscribe('answer.>', {
      callback: (_error, { subject }) => void carried.push(subject),
    });
    cleanup.add(() => answers.unsubscribe());

    const given = give(run.call, worker);
    await run.result;
    await run.apply();
    await given;

    await ground.connection.flush();
    expect([carried, queued.includes(run.call.call.dispatchId)]).toEqual([[], false]);
    expect(await storedOf(run)).toEqual(APPLIED);
  });

  it('is applied once by a runner that is slower than its worker waits at a lane, which is asked again after that', async () => {
    const run = await aRunnerWithCall();
    serve(run);
    const worker = await aWorkerOnTheSameMachine(run);

    await give(run.call, worker);
    await run.result;
    await run.apply();

    expect(queued).toContain(run.call.call.dispatchId);
    await untilQueueIsEmpty();
    expect(await storedOf(run)).toEqual(APPLIED);
    expect(worker.lanes.laneTo(run.call.answerTo ?? '')).toBeDefined();
  });

  it('is applied once where the word of that is lost: the queue has it too', async () => {
    const run = await aRunnerWithCall();
    const unanswered = ground.connection.nats.subscribe(run.call.answerTo ?? '', {
      callback: (_error, message) => {
        void run.taken.take(message.json<ToolResultMessage>());
      },
    });
    cleanup.add(() => unanswered.unsubscribe());

    const given = give(run.call);
    await run.result;
    await run.apply();
    await given;

    expect(queued).toContain(run.call.call.dispatchId);
    await untilQueueIsEmpty();
    expect(run.runner.results.map(({ ticket }) => ticket.dispatchId)).toEqual([run.call.call.dispatchId]);
    expect(await storedOf(run)).toEqual(APPLIED);
  });

  it('row 10: is applied once by a runner that is slower than its worker waits', async () => {
    const run = await aRunnerWithCall();
    serve(run);

    await give(run.call);
    await run.result;
    await run.apply();

    expect(queued).toContain(run.call.call.dispatchId);
    await untilQueueIsEmpty();
    expect(await storedOf(run)).toEqual(APPLIED);
  });

  it('row 2: reaches the next owner from a runner that died with it before it was stored', async () => {
    const run = await aRunnerWithCall();
    const server = serve(run);

    const given = give(run.call);
    await run.result;
    await Promise.all([run.runner.stop(), server.close(), given]);
    await eventually('the result to be stored', async () =>
      (await storedOf(run))?.hasResult === true ? true : undefined,
    );
    const next = await startFakeRunner(ground, cleanup);
    const { invocationId, epoch } = run.handover;
    const left = { invocationId, epoch, runnerId: run.runner.runnerId };
    await ground.rpc.request(subjects.sessionRpc('release'), toolResultMessageSchema.nullable(), left, {
      timeoutMs: 5_000,
    });

    const { openCalls } = await handoverOf(next, run.handover);
    expect(openCalls).toMatchObject([
      { dispatchId: run.call.call.dispatchId, result: { outcome: { kind: 'result', value: 3 } } },
    ]);
  });

  it('goes into the queue where no runner is there', async () => {
    const run = await aRunnerWithCall();

    await give(run.call);
    await run.result;
    await run.apply();

    expect(queued).toContain(run.call.call.dispatchId);
    await untilQueueIsEmpty();
    expect(await storedOf(run)).toEqual(APPLIED);
  });
});
