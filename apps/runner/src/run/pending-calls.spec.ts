import { type ToolResultMessage } from '@skein/contracts';
import { aResult, aTicket } from '../../test/builders';
import { PendingCalls } from './pending-calls';

const STEP = '0/agent.0/tools.0';

describe('PendingCalls', () => {
  it('hands the result to whoever waits for the call', async () => {
    const calls = new PendingCalls();
    const expected = calls.expect('d-1', STEP);

    expect(calls.settle(aResult('d-1'))).toBe('first');

    expect(await expected).toEqual(aResult('d-1'));
  });

  it('lets the first result of a call count, and takes a second without harm', async () => {
    const calls = new PendingCalls();
    const expected = calls.expect('d-1', STEP);

    calls.settle(aResult('d-1'));
    const second = calls.settle(aResult('d-1', { outcome: { kind: 'result', value: 'rainy' } }));

    expect(second).toBe('repeat');
    expect((await expected).outcome).toEqual({ kind: 'result', value: 'sunny' });
  });

  it('does not take a result that nobody waits for', () => {
    expect(new PendingCalls().settle(aResult('d-1'))).toBeUndefined();
  });

  it('hands on what is told of an open call, each once and in order, and of an earlier attempt nothing more', () => {
    const calls = new PendingCalls();
    const told: unknown[] = [];
    void calls.expect('d-1', STEP, (value) => told.push(value));
    const tell = (attempt: number, n: number) =>
      calls.progress({ invocationId: 'e-1', dispatchId: 'd-1', attempt, n, value: `${attempt}.${n}` });

    tell(1, 0);
    tell(1, 2);
    tell(1, 1);
    tell(1, 2);
    tell(2, 0);
    const isTaken = tell(1, 3);

    expect(isTaken).toBe(true);
    expect(told).toEqual(['1.0', '1.2', '2.0']);
  });

  it('takes nothing that is told of a call after its result, or of another', () => {
    const calls = new PendingCalls();
    const told: unknown[] = [];
    void calls.expect('d-1', STEP, (value) => told.push(value));
    calls.settle(aResult('d-1'));
    const tell = (dispatchId: string) =>
      calls.progress({ invocationId: 'e-1', dispatchId, attempt: 1, n: 0, value: 'late' });

    expect([tell('d-1'), tell('d-2')]).toEqual([false, false]);
    expect(told).toEqual([]);
  });

  it('knows whether the turn of a call waits for others, and not for those of another turn', () => {
    const calls = new PendingCalls();
    void calls.expect('d-1', STEP);
    void calls.expect('d-2', STEP);
    void calls.expect('d-3', '0/agent.0/tools.1');

    calls.settle(aResult('d-1'));
    expect(calls.hasOpenSiblings('d-1')).toBe(true);
    calls.settle(aResult('d-2'));

    expect(calls.hasOpenSiblings('d-1')).toBe(false);
  });

  describe('a result that is heard', () => {
    const permit = { ticket: aTicket('d-1'), tool: 'weather' };

    it('counts, and session-svc is told of it as of the first when it asks', async () => {
      const calls = new PendingCalls();
      const expected = calls.expect('d-1', STEP);
      calls.permit(permit);

      const isTaken = calls.settleHeard(aResult('d-1'));
      const asked = [calls.settle(aResult('d-1')), calls.settle(aResult('d-1'))];

      expect(isTaken).toBe(true);
      expect(await expected).toEqual(aResult('d-1'));
      expect(asked).toEqual(['first', 'repeat']);
    });

    it('waits for what permits it', async () => {
      const calls = new PendingCalls();
      const expected = calls.expect('d-1', STEP);

      const isTaken = calls.settleHeard(aResult('d-1'));
      calls.permit(permit);

      expect(isTaken).toBe(true);
      expect(await expected).toEqual(aResult('d-1'));
      expect(calls.wasHeard(aResult('d-1'))).toBe(true);
    });

    it('row 10: leaves another attempt of it a repeat', () => {
      const calls = new PendingCalls();
      void calls.expect('d-1', STEP);
      calls.permit(permit);
      const other = aResult('d-1', { execution: { worker: 'worker-2', pid: 8, attempt: 2, durationMs: 3 } });

      calls.settleHeard(aResult('d-1'));

      expect([calls.settle(other), calls.settle(aResult('d-1'))]).toEqual(['repeat', 'first']);
    });

    describe('of a call that the run sent a word along with', () => {
      const own = { nonce: 'a word', tool: 'weather' };
      const shown = aResult('d-1', { ticket: { ...aTicket('d-1'), nonce: 'a word' } });

      it('is taken by that word, before and whatever is permitted', async () => {
        const calls = new PendingCalls();
        const expected = calls.expect('d-1', STEP);
        calls.knowBy('d-1', own);

        expect(calls.settleHeard(shown)).toBe(true);
        calls.permit({ ...permit, ticket: { ...permit.ticket, deadlineMs: 1 } });

        expect(await expected).toEqual(shown);
        expect(calls.wasHeard(shown)).toBe(true);
      });

      it.each<[string, ToolResultMessage]>([
        ['without the word', aResult('d-1')],
        ['with another', aResult('d-1', { ticket: { ...aTicket('d-1'), nonce: 'a work' } })],
        ['of another tool', { ...shown, tool: 'bank' }],
      ])('waits for what permits it %s', (_what, result) => {
        const calls = new PendingCalls();
        void calls.expect('d-1', STEP);
        calls.knowBy('d-1', own);

        expect(calls.settleHeard(result)).toBe(true);
        expect(calls.wasHeard(result)).toBe(false);
        calls.permit(permit);
        expect(calls.wasHeard(result)).toBe(result.tool === 'weather');
      });

      it('is not taken of a call that was never sent with one', () => {
        const calls = new PendingCalls();
        void calls.expect('d-1', STEP);
        calls.knowBy('d-2', own);

        calls.settleHeard(shown);

        expect(calls.wasHeard(shown)).toBe(false);
      });
    });

    it.each<[string, Partial<ToolResultMessage>]>([
      ['signed by somebody else', { ticket: { ...aTicket('d-1'), hmac: 'other' } }],
      ['signed as long, by somebody else', { ticket: { ...aTicket('d-1'), hmac: 'h00c' } }],
      ['of another attempt', { ticket: { ...aTicket('d-1'), attempt: 2 } }],
      ['with another deadline', { ticket: { ...aTicket('d-1'), deadlineMs: 1 } }],
      ['of another tool', { tool: 'bank' }],
      ['of a call that nobody waits for', { ticket: aTicket('d-2') }],
    ])('row 16: is not taken when it is %s', (_what, over) => {
      const calls = new PendingCalls();
      void calls.expect('d-1', STEP);
      calls.permit(permit);

      expect(calls.settleHeard(aResult('d-1', over))).toBe(false);
      expect(calls.settle(aResult('d-1'))).toBe('first');
    });
  });
});
