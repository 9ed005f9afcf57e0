import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import {
  AdkError,
  type CallRow,
  type DeadLetterDetails,
  deadLetterDetailsSchema,
  type Handover,
  subjects,
  type Ticket,
  type ToolCallMessage,
  toolCallMessageSchema,
  toolQueue,
} from '@skein/contracts';
import { consumeWork, publishWork } from '@skein/messaging';
import { servicePerTest } from './session-services';
import { aCall, aKey, anEvent, aUnit, eventually } from './session-store-harness';
import {
  appendTo,
  handoverOf,
  publishResult,
  resultOf,
  startFakeRunner,
  statusOfCall,
  submitTo,
} from './session-svc-harness';

const spec = servicePerTest({ SWEEP_MS: '300' });
const { ground, cleanup } = spec;

interface SentCall {
  readonly handover: Handover;
  readonly call: CallRow;
  readonly ticket: Ticket;
  readonly message: ToolCallMessage;
  readonly runner: Awaited<ReturnType<typeof startFakeRunner>>;
}

/** A call whose message is in its queue. */
async function aSentCall(pool: string, beside?: SentCall): Promise<SentCall> {
  const runner = beside?.runner ?? (await startFakeRunner(ground, cleanup));
  const handover = await handoverOf(runner, await submitTo(ground, aKey()));
  const call = aCall({ pool });
  const unit = aUnit(handover, 1, { runnerId: runner.runnerId, has: [anEvent()], calls: [call] });
  const [ticket] = (await appendTo(ground, unit)).tickets;
  if (!ticket) throw new Error('the call got no ticket');
  const { appName, userId, sessionId, invocationId } = handover;
  const message: ToolCallMessage = { appName, userId, sessionId, invocationId, call, ticket, state: {} };
  await publishWork(ground.connection, subjects.tool(pool), message, { msgId: `${call.dispatchId}.1` });
  return { handover, call, ticket, message, runner };
}

/** Takes the pool's message and dies, once more than the queue delivers it. */
async function killWorkers(pool: string): Promise<void> {
  const { durable, filterSubject } = toolQueue(pool);
  const manager = await jetstreamManager(ground.connection.nats);
  await manager.consumers.add('TOOLS', {
    durable_name: durable,
    filter_subject: filterSubject,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(200),
    max_deliver: 2,
  });
  const consumer = await jetstream(ground.connection.nats).consumers.get('TOOLS', durable);
  const before = await advisories();
  let deliveries = 0;
  await eventually('JetStream to give the message up', async () => {
    for await (const _ of await consumer.fetch({ max_messages: 1, expires: 1_000 })) deliveries += 1;
    return (await advisories()) > before || undefined;
  });
  expect(deliveries).toBe(2);
}

async function advisories(): Promise<number> {
  const manager = await jetstreamManager(ground.connection.nats);
  return (await manager.streams.info('ADVISORIES')).state.messages;
}

async function storedIn(pool: string): Promise<number> {
  const manager = await jetstreamManager(ground.connection.nats);
  const { state } = await manager.streams.info('TOOLS', { subjects_filter: subjects.tool(pool) });
  return Object.values(state.subjects ?? {}).reduce((sum, count) => sum + count, 0);
}

const ask = (verb: 'inspect' | 'redrive' | 'discard', { call }: SentCall): Promise<DeadLetterDetails> =>
  ground.rpc.request(
    subjects.deadLetterRpc(verb),
    deadLetterDetailsSchema,
    { appName: 'app', dispatchId: call.dispatchId, isForced: false },
    { timeoutMs: 5_000 },
  );

/** The runner stores the response, and ends its run. */
async function applyTo({ handover, call, runner }: SentCall): Promise<void> {
  const finish = { status: 'completed', isRefusal: false } as const;
  const applied = { runnerId: runner.runnerId, has: [anEvent()], appliedCalls: [call.dispatchId], finish };
  await appendTo(ground, aUnit(handover, 2, applied));
}

const dead = (sent: SentCall) =>
  eventually(
    'the call to end',
    async () => (await statusOfCall(ground, sent.call.dispatchId)) === 'dead' || undefined,
  );

describe('a call that JetStream gave up', () => {
  it('row 33: ends with an error for the model and a dead letter, and leaves its queue', async () => {
    const sent = await aSentCall('poison');

    await killWorkers('poison');

    expect((await resultOf(sent.runner, sent.ticket)).outcome).toMatchObject({ code: 'tool.poison' });
    expect(await ask('inspect', sent)).toMatchObject({ code: 'tool.poison', status: 'open', pool: 'poison' });
    await eventually('the queue to be empty', async () => (await storedIn('poison')) === 0 || undefined);
  });

  it('row 33: at an attempt before the one under way leaves its queue and ends nothing', async () => {
    const sent = await aSentCall('stale');
    const next = 'UPDATE adk_tool_calls SET attempt = 2 WHERE dispatch_id = $1';
    await ground.database.pool.query(next, [sent.call.dispatchId]);

    await killWorkers('stale');

    await eventually('the queue to be empty', async () => (await storedIn('stale')) === 0 || undefined);
    expect(await statusOfCall(ground, sent.call.dispatchId)).toBe('dispatched');
  });

  it('row 35: while nobody listened ends once somebody does', async () => {
    const sent = await aSentCall('unheard');
    await spec.service.stop();
    await killWorkers('unheard');
    expect(await statusOfCall(ground, sent.call.dispatchId)).toBe('dispatched');

    await spec.startAnother();

    await dead(sent);
    expect(await ask('inspect', sent)).toMatchObject({ code: 'tool.poison' });
    await eventually('the queue to be empty', async () => (await storedIn('unheard')) === 0 || undefined);
  });

  it('row 35: and of which the advisory is lost too ends by its deadline', async () => {
    const sent = await aSentCall('lost');
    await spec.service.stop();
    await killWorkers('lost');
    await (await jetstreamManager(ground.connection.nats)).streams.purge('ADVISORIES');
    const late = `UPDATE adk_tool_calls SET deadline = now() - interval '1 s' WHERE dispatch_id = $1`;
    await ground.database.pool.query(late, [sent.call.dispatchId]);

    await spec.startAnother({ SWEEP_MS: '300' });

    await dead(sent);
    expect(await ask('inspect', sent)).toMatchObject({ code: 'tool.deadline' });
  });

  it('ends when its worker refuses it for good, but not by the word of another queue', async () => {
    const sent = await aSentCall('refused');
    const foreign = await aSentCall('other', sent);
    const msgId = `${foreign.call.dispatchId}.1.copy`;
    await publishWork(ground.connection, subjects.tool('refused'), foreign.message, { msgId });

    const worker = await consumeWork(ground.connection, {
      ...toolQueue('refused'),
      ...{ ackWaitMs: 30_000, maxDeliver: 5, concurrency: 4, schema: toolCallMessageSchema },
      handler: async () => {
        throw new AdkError('invalid', 'tool.args', 'no');
      },
    });
    cleanup.add(() => worker.stop(100));

    await dead(sent);
    expect(await ask('inspect', sent)).toMatchObject({ code: 'tool.poison' });
    expect(await statusOfCall(ground, foreign.call.dispatchId)).toBe('dispatched');
  });
});

describe('a redrive', () => {
  it('runs the call once more and keeps its result, and the conversation as it is', async () => {
    const sent = await aSentCall('again');
    await killWorkers('again');
    await dead(sent);
    await expect(ask('redrive', sent)).rejects.toMatchObject({ code: 'dead-letter.unanswered' });
    await applyTo(sent);
    const head = async () => {
      const text = 'SELECT last_seq FROM adk_sessions WHERE id = $1';
      const { rows } = await ground.database.pool.query<{ last_seq: number }>(text, [
        sent.handover.sessionId,
      ]);
      return rows[0]?.last_seq;
    };
    const before = await head();

    const asked = await Promise.allSettled([ask('redrive', sent), ask('redrive', sent)]);

    expect(asked.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const again = await eventually('the call in its queue', async () => {
      const manager = await jetstreamManager(ground.connection.nats);
      const stored = await manager.streams.getMessage('TOOLS', { last_by_subj: subjects.tool('again') });
      return stored ? toolCallMessageSchema.parse(stored.json()) : undefined;
    });
    expect(again).toMatchObject({ call: { dispatchId: sent.call.dispatchId, args: { a: 1 } } });
    expect(again.ticket.attempt).toBeGreaterThan(sent.ticket.attempt);
    await publishResult(ground, sent.handover, again.ticket, 42);
    await eventually('the result of the redrive', async () => (await ask('inspect', sent)).result);
    expect(await ask('inspect', sent)).toMatchObject({
      status: 'redriven',
      result: { outcome: { value: 42 } },
    });
    expect(await head()).toEqual(before);
  });
});
