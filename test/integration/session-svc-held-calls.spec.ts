import {
  askStoredSchema,
  databaseClockSchema,
  storedVerdictSchema,
  subjects,
  type ToolCallMessage,
} from '@skein/contracts';
import { announceWorker } from './announced-worker';
import { callsAhead, changing, HOLDING, reading } from './calls-ahead-harness';
import { atCommits, holdCommits } from './held-commits';
import { aCall, eventually } from './session-store-harness';
import { appendTo, statusOfCall } from './session-svc-harness';

const { ground, cleanup, aRun, unitOf, sendingsOf, firstOf, aCallAhead } = callsAhead();

/** Asks as the worker that has the call, of whoever sent it or of any session-svc. */
function isStored({ invocationId, call, ticket, askStored }: ToolCallMessage, of = askStored ?? '') {
  const asked = askStoredSchema.parse({ invocationId, tool: call.tool, ticket });
  return ground.rpc.request(of, storedVerdictSchema, asked, { timeoutMs: 5_000 });
}

describe('a call of a tool that may change something (B64)', () => {
  const held = { policy: changing, pool: HOLDING };
  const anyone = subjects.callRpc('stored');

  it('leaves while it is stored, and its worker hears that it may begin once it is, from whoever it asks', async () => {
    const { release, answered, message, ticket } = await aCallAhead(held);
    const told: string[] = [];
    const asked = [isStored(message), isStored(message, anyone)].map((one) =>
      one.then(({ verdict }) => told.push(verdict)),
    );
    // Asked and answered behind them.
    await ground.rpc.request(subjects.callRpc('clock'), databaseClockSchema, {}, { timeoutMs: 5_000 });
    expect(told).toEqual([]);

    await release();
    await Promise.all(asked);

    expect(told).toEqual(['stored', 'stored']);
    expect((await answered).tickets).toEqual([ticket]);
    expect(await isStored(message)).toEqual({ verdict: 'stored' });
  });

  it('leaves behind its commit where a worker of its pool would begin it at once', async () => {
    const [run, call] = [await aRun(), aCall({ policy: changing })];
    const release = await holdCommits(ground, cleanup, 'adk_tool_calls');
    const answered = appendTo(ground, unitOf(run, [call]));
    const [asking, other] = [aCall({ policy: reading }), await aRun()];
    const behind = appendTo(ground, unitOf(other, [asking]));
    await firstOf(asking);
    expect(sendingsOf(call)).toEqual([]);

    await release();
    await Promise.all([answered, behind]);

    expect((await firstOf(call)).message.askStored).toBeUndefined();
  });

  it('is nobody’s where its unit is refused, of a runner that has lost its run', async () => {
    const [run, call] = [await aRun(), aCall(held)];
    const refused = appendTo(ground, { ...unitOf(run, [call]), epoch: run.epoch + 1 });

    await expect(refused).rejects.toMatchObject({ code: 'append.fenced' });

    const { message } = await firstOf(call);
    expect(await isStored(message)).toEqual({ verdict: 'unknown' });
    // Some other may yet store a call of this id.
    await expect(isStored(message, anyone)).rejects.toMatchObject({ code: 'call.early' });
  });

  it('is nobody’s where its run is to end as cancelled, though it is stored', async () => {
    const [run, call] = [await aRun(), aCall(held)];
    await ground.database.pool.query('UPDATE adk_invocations SET cancel_requested_at = now() WHERE id = $1', [
      run.invocationId,
    ]);

    expect((await appendTo(ground, unitOf(run, [call]))).cancelRequested).toBe(true);

    expect(await isStored((await firstOf(call)).message)).toEqual({ verdict: 'refused' });
  });

  it('is not begun under the ticket of before where its unit is stored only when it comes again', async () => {
    const [run, call] = [await aRun(), aCall(held)];
    const unit = unitOf(run, [call]);
    const refuse = "RAISE EXCEPTION 'refused at the commit'";
    const takeCommits = await atCommits(ground.database.pool, 'adk_tool_calls', refuse);
    await expect(appendTo(ground, unit)).rejects.toMatchObject({ name: 'AdkError' }).finally(takeCommits);
    const first = (await firstOf(call)).message;

    await appendTo(ground, unit);

    const second = (await eventually('the stored call', () => sendingsOf(call)[1])).message;
    expect(await isStored(first)).toEqual({ verdict: 'unknown' });
    expect(await isStored(first, anyone)).toEqual({ verdict: 'refused' });
    expect(await isStored(second)).toEqual({ verdict: 'stored' });
  });

  it('waits for its turn where the database says that it is one too many: it comes again, and its message is nobody’s', async () => {
    const pool = 'full-and-holding';
    await announceWorker(ground, cleanup, { pool, tools: ['add'], holds: true });
    for (let index = 0; index < 5; index++)
      await appendTo(
        ground,
        unitOf(await aRun(), [aCall({ pool, index, policy: { ...changing, sideEffect: 'once' } })]),
      );
    const [run, call] = [await aRun(), aCall({ policy: changing, pool })];

    const { tickets } = await appendTo(ground, unitOf(run, [call]));

    expect(tickets).toEqual([]);
    expect(await statusOfCall(ground, call.dispatchId)).toBe('queued');
    const { message } = await firstOf(call);
    expect([await isStored(message), await isStored(message, anyone)]).toEqual([
      { verdict: 'refused' },
      { verdict: 'refused' },
    ]);
  });

  it('is not told to be stored by a ticket that was made up', async () => {
    const { release, answered, message } = await aCallAhead(held);
    await release();
    await answered;
    const forged = { ...message, ticket: { ...message.ticket, hmac: 'made up' } };

    expect(await isStored(forged)).toEqual({ verdict: 'unknown' });
    await expect(isStored(forged, anyone)).rejects.toMatchObject({ code: 'call.forged' });
  });
});
