import { appendedFor, aResult, aTicket, gate } from '../../test/builders';
import { aCall, anExecutor, nextTurn, unitsOf } from '../../test/executor';

describe('a call that only reads', () => {
  /** Its result as whoever was sent the call gives it, and a store that has not answered yet. */
  async function aCallUnderWay() {
    const { executor, store, pendingCalls, toolContext } = anExecutor();
    const answered = gate();
    const refused: { reason?: Error } = {};
    store.answer = (unit) =>
      answered.opened.then(() => (refused.reason ? Promise.reject(refused.reason) : appendedFor(unit)));
    const executed = executor.execute(aCall('d-1', 'worker', { readOnly: true }), toolContext);
    executed.catch(() => undefined);
    const [unit] = await unitsOf(store);
    const nonce = unit?.sending?.[0]?.calls[0]?.nonce;
    const ticket = { ...aTicket('d-1'), ...(nonce !== undefined && { nonce }) };
    return { executed, pendingCalls, answered, refused, result: aResult('d-1', { ticket }) };
  }

  it('is answered by the result that shows the word it was sent with, while its unit is stored', async () => {
    const { executed, pendingCalls, result } = await aCallUnderWay();

    expect(pendingCalls.settleHeard(result)).toBe(true);

    expect((await executed).outcome).toEqual({ kind: 'result', value: 'sunny' });
  });

  it('is answered by no other before its unit is answered', async () => {
    const { executed, pendingCalls, answered } = await aCallUnderWay();
    let isDone = false;
    void executed.finally(() => (isDone = true));

    pendingCalls.settleHeard(aResult('d-1'));
    await nextTurn();
    expect(isDone).toBe(false);
    answered.open();

    expect((await executed).outcome).toEqual({ kind: 'result', value: 'sunny' });
  });

  it('fails with its unit, where that is refused before there is a result', async () => {
    const { executed, answered, refused } = await aCallUnderWay();
    refused.reason = new Error('refused');
    answered.open();

    await expect(executed).rejects.toThrow('refused');
  });

  it('leaves it to what is stored behind it to fail, where its unit is refused behind its result', async () => {
    const { executed, pendingCalls, answered, refused, result } = await aCallUnderWay();
    pendingCalls.settleHeard(result);
    refused.reason = new Error('refused');
    answered.open();

    expect((await executed).outcome).toEqual({ kind: 'result', value: 'sunny' });
    await nextTurn();
  });

  it('has a word of its own each time, and a call of any other tool has none', async () => {
    const { executor, store, pendingCalls, toolContext } = anExecutor();
    const calls = [
      aCall('d-1', 'worker', { readOnly: true }),
      aCall('d-2', 'worker', { readOnly: true }),
      aCall('d-3'),
    ];

    const executed = Promise.all(calls.map((call) => executor.execute(call, toolContext)));
    const [unit] = await unitsOf(store);
    for (const { dispatchId } of calls) pendingCalls.settle(aResult(dispatchId));
    await executed;

    const [one, other, none] = unit?.sending?.flatMap((context) => context.calls) ?? [];
    expect(one?.nonce).toMatch(/^[0-9a-f-]{36}$/);
    expect(other?.nonce).not.toBe(one?.nonce);
    expect(none).toEqual({ dispatchId: 'd-3' });
  });
});
