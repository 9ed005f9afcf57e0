import { type CallRow, databaseClockSchema, subjects } from '@skein/contracts';
import { RemoteArtifactMetadata } from '@skein/session-client';
import { announceWorker } from './announced-worker';
import { callsAhead, reading as policy } from './calls-ahead-harness';
import { atCommits } from './held-commits';
import { aCall, eventually } from './session-store-harness';
import { appendTo, publishResult, statusOfCall, untilDone } from './session-svc-harness';

const { spec, ground, cleanup, aRun, unitOf, sendingsOf, firstOf, aCallAhead } = callsAhead();

async function valueOf({ dispatchId }: CallRow): Promise<unknown> {
  const { rows } = await ground.database.pool.query<{ value: unknown }>(
    `SELECT result #> '{outcome,value}' AS value FROM adk_tool_calls WHERE dispatch_id = $1`,
    [dispatchId],
  );
  return rows[0]?.value;
}

describe('a call of a tool that only reads (B64)', () => {
  it('leaves while it is stored, once, with the ticket that its runner is answered, and is noted as sent', async () => {
    const { call, release, answered, ticket, msgId } = await aCallAhead({ policy });

    await release();

    expect((await answered).tickets).toEqual([ticket]);
    expect(msgId).toBe(`${call.dispatchId}.1.ahead.${ticket.deadlineMs}`);
    await eventually('the note', async () => {
      const { rowCount } = await ground.database.pool.query(
        'SELECT 1 FROM adk_tool_calls WHERE dispatch_id = $1 AND confirmed_at IS NOT NULL',
        [call.dispatchId],
      );
      return rowCount === 1 ? true : undefined;
    });
    expect(sendingsOf(call)).toHaveLength(1);
  });

  it('loses no result that comes before it is stored', async () => {
    const { run, call, release, answered, ticket } = await aCallAhead({ policy });
    const again = /skein_messages_total\{stream="RESULTS",outcome="again"\} [1-9]/;

    await publishResult(ground, run, ticket, 42);
    await eventually('a result without a call', async () =>
      again.test(await spec.service.health.metrics.render()) ? true : undefined,
    );
    await release();
    await answered;
    await untilDone(ground, call);

    expect(await valueOf(call)).toBe(42);
  });

  it('is answered once it is stored what it asks for before', async () => {
    const { run, release, answered, ticket } = await aCallAhead({ policy });
    const artifacts = new RemoteArtifactMetadata(ground.rpc, { pass: { tool: 'add', ticket } });
    const { appName, userId, sessionId } = run;
    let isListed = false;

    const listed = artifacts.list({ appName, userId, sessionId }).finally(() => (isListed = true));
    // Asked and answered behind it.
    await ground.rpc.request(subjects.callRpc('clock'), databaseClockSchema, {}, { timeoutMs: 5_000 });
    expect(isListed).toBe(false);
    await release();
    await answered;

    expect(await listed).toEqual([]);
  });

  it('is sent anew where its unit is stored only when it comes again: what ran before may have ended for nobody', async () => {
    const run = await aRun();
    const call = aCall({ policy });
    const unit = unitOf(run, [call]);
    const refuse = "RAISE EXCEPTION 'refused at the commit'";
    const takeCommits = await atCommits(ground.database.pool, 'adk_tool_calls', refuse);
    const refused = appendTo(ground, unit);
    await expect(refused).rejects.toMatchObject({ name: 'AdkError' }).finally(takeCommits);
    const first = await firstOf(call);

    const { tickets } = await appendTo(ground, unit);

    const second = await eventually('the stored call', () => sendingsOf(call)[1]);
    expect(second.message.ticket).toEqual(tickets[0]);
    // The stream takes it for another one.
    expect(second.msgId).not.toBe(first.msgId);
    await publishResult(ground, run, tickets[0], 'of the stored one');
    await untilDone(ground, call);
  });

  it('leaves the result of another one alone, which a runner without the run had sent under its id', async () => {
    const run = await aRun();
    const [lost, own] = [aCall({ policy, args: { a: 1 } }), aCall({ policy, args: { a: 2 } })];
    const stolen = { ...own, dispatchId: lost.dispatchId };
    const fenced = appendTo(ground, { ...unitOf(run, [lost]), epoch: run.epoch + 1 });
    await expect(fenced).rejects.toMatchObject({ code: 'append.fenced' });
    const first = (await firstOf(lost)).message;
    const { tickets } = await appendTo(ground, unitOf(run, [stolen]));
    const dropped = async () =>
      (await spec.service.health.metrics.render()).includes(
        'skein_tool_results_total{disposition="unknown"} 1',
      );

    await publishResult(ground, run, first.ticket, 'of the lost one');
    await eventually('the lost one', async () => ((await dropped()) ? true : undefined));
    expect(await statusOfCall(ground, lost.dispatchId)).toBe('dispatched');
    await publishResult(ground, run, tickets[0], 'its own');
    await untilDone(ground, stolen);

    expect(first.call.args).toEqual({ a: 1 });
    expect(await valueOf(stolen)).toBe('its own');
  });

  it('is one too many where the database says so: its result counts, and the next one is sent by turn', async () => {
    const pool = 'full';
    // Runs four at once, and has room for one more in its queue.
    await announceWorker(ground, cleanup, { pool, tools: ['add'] });
    const others = Array.from({ length: 5 }, (_none, index) => aCall({ pool, index }));
    for (const other of others)
      expect((await appendTo(ground, unitOf(await aRun(), [other]))).tickets).toHaveLength(1);
    const [run, call, next] = [await aRun(), aCall({ policy, pool }), aCall({ policy, pool })];

    const { tickets } = await appendTo(ground, unitOf(run, [call]));

    expect((await firstOf(call)).message.ticket).toEqual(tickets[0]);
    expect(await statusOfCall(ground, call.dispatchId)).toBe('queued');
    expect((await appendTo(ground, unitOf(await aRun(), [next]))).tickets).toEqual([]);
    expect(sendingsOf(next)).toEqual([]);
    await publishResult(ground, run, tickets[0], 7);
    await untilDone(ground, call);
    expect(await valueOf(call)).toBe(7);
  });
});
