import { aResult } from '../../test/builders';
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
});
