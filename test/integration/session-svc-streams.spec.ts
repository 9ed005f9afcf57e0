import { jetstreamManager } from '@nats-io/jetstream';
import { eventMessageSchema, subjects, type ToolCallMessage, toolCallMessageSchema } from '@skein/contracts';
import { provisionStreams, publishWork } from '@skein/messaging';
import { servicePerTest } from './session-services';
import { aCall, aKey, anEvent, aUnit, eventually } from './session-store-harness';
import {
  appendTo,
  consume,
  type FakeRunner,
  handoverOf,
  resultOf,
  startFakeRunner,
  submitTo,
} from './session-svc-harness';

const spec = servicePerTest({ SWEEP_MS: '200' });
const { ground, cleanup } = spec;

/** Somebody else's mistake, or a disk that was wiped while nobody looked: NATS itself stays. */
async function deleteStream(name: string): Promise<void> {
  const { streams } = await jetstreamManager(ground.connection.nats);
  await streams.delete(name);
}

/** A call of a running invocation that its runner has sent, as runners do; nobody has taken it up. */
async function aSentCall(policy: Parameters<typeof aCall>[0] = {}, known?: FakeRunner) {
  // Of two with the same credit it is not said which one gets the run.
  const runner = known ?? (await startFakeRunner(ground, cleanup));
  const key = aKey();
  const handover = await handoverOf(runner, await submitTo(ground, key));
  const call = aCall(policy);
  const { tickets } = await appendTo(
    ground,
    aUnit(handover, 1, { runnerId: runner.runnerId, has: [anEvent()], calls: [call] }),
  );
  const [ticket] = tickets;
  if (!ticket) throw new Error('the call got no ticket');
  const message: ToolCallMessage = { ...key, invocationId: handover.invocationId, call, ticket, state: {} };
  await publishWork(ground.connection, subjects.tool(call.pool), message, {
    msgId: `${call.dispatchId}.${ticket.attempt}`,
  });
  return { key, handover, runner, call };
}

/** What workers are given of a call from now on. */
async function deliveriesOf(dispatchId: string): Promise<ToolCallMessage[]> {
  const seen: ToolCallMessage[] = [];
  const stop = await consume(ground, 'TOOLS', toolCallMessageSchema, (message) => {
    if (message.call.dispatchId === dispatchId) seen.push(message);
  });
  cleanup.add(stop);
  return seen;
}

describe('session-svc when a stream is lost and NATS stays', () => {
  it('row 16: sends a call again whose stream was deleted', async () => {
    const { call } = await aSentCall();

    await deleteStream('TOOLS');

    const seen = await deliveriesOf(call.dispatchId);
    await eventually('the call', () => seen[0]);
  });

  it('row 16: notices so after its start, when the stream was lost while no session-svc ran', async () => {
    const { call } = await aSentCall();
    await spec.service.stop();
    await deleteStream('TOOLS');
    await provisionStreams(ground.connection);
    const seen = await deliveriesOf(call.dispatchId);

    await spec.startAnother({ SWEEP_MS: '200' });

    await eventually('the call', () => seen[0]);
  });

  it('row 16: has a call run again whose result was lost, although the queue remembers the call', async () => {
    const { call } = await aSentCall();
    const seen = await deliveriesOf(call.dispatchId);
    await eventually('the first delivery', () => seen[0]);

    await deleteStream('RESULTS');

    await eventually('the second delivery', () => seen[1]);
  });

  it('row 16: does not send a call again that may run once only and was begun: its deadline ends it', async () => {
    const { call, runner } = await aSentCall({
      policy: { timeoutMs: 60_000, maxAttempts: 1, sideEffect: 'once' },
    });

    await ground.database.pool.query(
      `UPDATE adk_tool_calls SET status = 'running', begun_message = '1' WHERE dispatch_id = $1`,
      [call.dispatchId],
    );
    const { call: other } = await aSentCall({}, runner);
    await deleteStream('TOOLS');
    const seen: string[] = [];
    const note = ({ call: { dispatchId } }: ToolCallMessage) => seen.push(dispatchId);
    cleanup.add(await consume(ground, 'TOOLS', toolCallMessageSchema, note));
    await eventually('a call that may', () => (seen.includes(other.dispatchId) ? true : undefined));

    expect(seen).not.toContain(call.dispatchId);
    await ground.database.pool.query(
      `UPDATE adk_tool_calls SET deadline = now() - interval '1 s' WHERE dispatch_id = $1`,
      [call.dispatchId],
    );
    const { outcome } = await resultOf(runner, call);
    expect(outcome).toMatchObject({ kind: 'error', code: 'tool.deadline' });
  });

  it('row 16: publishes recent events again, in order, and goes on behind them', async () => {
    const { key, handover, runner } = await aSentCall();
    const more = (no: number) =>
      appendTo(ground, aUnit(handover, no, { runnerId: runner.runnerId, has: [anEvent(), anEvent()] }));
    await more(2);
    await eventually('the note that they are published', async () => {
      const { rows } = await ground.database.pool.query<{ published_seq: string }>(
        'SELECT published_seq FROM adk_sessions WHERE id = $1',
        [key.sessionId],
      );
      return Number(rows[0]?.published_seq) === 3 ? true : undefined;
    });

    await deleteStream('EVENTS');

    const seqs: number[] = [];
    cleanup.add(
      await consume(ground, 'EVENTS', eventMessageSchema, ({ sessionUid, seq }) => {
        if (sessionUid === handover.sessionUid) seqs.push(seq);
      }),
    );
    await eventually('the events again', () => (seqs.length >= 3 ? true : undefined));
    await more(3);
    await eventually('the next', () => (seqs.length >= 5 ? true : undefined));
    expect(seqs).toEqual([1, 2, 3, 4, 5]);
  });
});
